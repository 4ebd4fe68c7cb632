package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * In Java, PublicFiles and PrivateDirectory alone make files of names that can be foreseen where other users write. Whatever else
 * makes one is named here, with the reason why no other user chooses what is there. A temporary file or directory of Java (mkdtemp
 * and the like: random, O_EXCL, closed to others) is safe without that.
 */
@Tag("one-jdk")
class PublicFilesSourceTest {
    private static final Path ROOT = Path.of("..");

    private static final Pattern CALL = Pattern.compile(
            "Files\\.(createDirector(?:y|ies)|createFile|createSymbolicLink|createLink|move|copy|newOutputStream"
                    + "|newBufferedWriter|newByteChannel|write(?:String)?|set[A-Z]\\w*)\\("
                    + "|FileChannel\\.(open)\\(|new (FileOutputStream|FileWriter|RandomAccessFile|PrintStream)\\(\\w*[^)]"
                    + "|(UnixDomainSocketAddress)\\.of|\\.(mkdirs?|renameTo)\\("
                    + "|\"(/dev/shm|/tmp|/run|/var/tmp|java\\.io\\.tmpdir|hadoop\\.tmp\\.dir)\\b");

    private static final String KERNEL = "a file of the kernel's";
    private static final String PRIVATE = "in a directory of PrivateDirectory's";
    private static final String TEMPORARY = "below or instead of a temporary file that it made itself";
    private static final String USERS = "the user names the file or its directory";
    private static final String HADOOP =
            "Hadoop's or Spark's own directories and file systems, whose rights are theirs";
    private static final String ROOTS = "in /run, where only root writes";
    private static final String RESULTS = "in the folder of results, which is new or the user's";

    private static final Map<String, String> ELSEWHERE = new TreeMap<>(Map.ofEntries(
            Map.entry("core/binding/BindingRecords", PRIVATE),
            Map.entry("core/binding/InterruptBinding", KERNEL),
            Map.entry("core/binding/InterruptRecord", TEMPORARY),
            Map.entry("core/binding/NativeFiles", PRIVATE),
            Map.entry("core/binding/NativeLibrary", "it compares names only"),
            Map.entry("core/observation/JvmMemory", KERNEL),
            Map.entry("core/observation/ProcFile", KERNEL),
            Map.entry("transport/LocalSockets", PRIVATE),
            Map.entry("engines/mapreduce/embedded/BerthLocalFileSystem", HADOOP),
            Map.entry("engines/mapreduce/embedded/BlockInput", HADOOP),
            Map.entry("engines/mapreduce/standalone/ArchiveJob", TEMPORARY),
            Map.entry("engines/mapreduce/spark/ExecutorJob", HADOOP),
            Map.entry("engines/mapreduce/client/BerthJob", HADOOP),
            Map.entry("engines/mapreduce/client/JobCache", HADOOP),
            Map.entry("engines/mapreduce/client/BerthClient", HADOOP),
            Map.entry("engines/spark-shuffle/BlockFile", HADOOP),
            Map.entry("engines/hadoop/hdfs/DecisionLog", USERS),
            Map.entry("cli/Terminal", "standard output and error"),
            Map.entry("cli/Supervisor", "standard output and error"),
            Map.entry("cli/ElfInterpreter", "it reads a program"),
            Map.entry("cli/OutputFile", USERS),
            Map.entry("cli/SparkConfCommand", TEMPORARY),
            Map.entry("cli/SplitCommand", USERS),
            Map.entry("cli/TuneCommand", RESULTS),
            Map.entry("cli/JobProperties", TEMPORARY),
            Map.entry("cli/IrqCommand", ROOTS),
            Map.entry("cli/CompareReport", RESULTS),
            Map.entry("cli/WayJob", RESULTS),
            Map.entry("cli/StudyRun", RESULTS),
            Map.entry("cli/CompareFolder", RESULTS),
            Map.entry("cli/Launch", "a temporary file of the script's"),
            Map.entry("cli/PlanFiles", PRIVATE),
            Map.entry("evaluation/jobs/TpchData", USERS),
            Map.entry("evaluation/jobs/MatrixReport", USERS),
            Map.entry("evaluation/mapreduce/WorkFolder", HADOOP),
            Map.entry("evaluation/mapreduce/WaitingFragments", HADOOP),
            Map.entry("evaluation/probes/DirectDiskWrite", USERS),
            Map.entry("evaluation/cluster/YarnProgram", USERS),
            Map.entry("evaluation/examples/ExampleInput", USERS),
            Map.entry("evaluation/examples/Example", USERS),
            Map.entry("evaluation/examples/ClusterHost", TEMPORARY),
            Map.entry("evaluation/examples/ExampleEngine", HADOOP),
            Map.entry("evaluation/uploads/LockWaits", TEMPORARY),
            Map.entry("evaluation/uploads/UploadMain", TEMPORARY),
            Map.entry("evaluation/uploads/HdfsJobOptions", TEMPORARY),
            Map.entry("evaluation/experiments/Timelines", RESULTS),
            Map.entry("evaluation/experiments/ExperimentRunner", RESULTS),
            Map.entry("evaluation/experiments/TrialLog", RESULTS),
            Map.entry("evaluation/experiments/RunPreparation", KERNEL),
            Map.entry("evaluation/experiments/KernelSwitch", ROOTS),
            Map.entry("evaluation/microbenchmarks/BareCalls", TEMPORARY),
            Map.entry("evaluation/microbenchmarks/DynamicBenchmark", KERNEL),
            Map.entry("evaluation/microbenchmarks/BirthCosts", TEMPORARY),
            Map.entry("evaluation/cluster/HdfsCluster", TEMPORARY),
            Map.entry("evaluation/cluster/FreshResourceManager", TEMPORARY),
            Map.entry("evaluation/cluster/YarnCluster", TEMPORARY),
            Map.entry("evaluation/cluster/FreshNameNode", TEMPORARY),
            Map.entry("evaluation/cluster/FreshNodeManager", TEMPORARY),
            Map.entry("packaging/UserFiles", USERS),
            Map.entry("transport/Tuning", "it names the directory that LocalSockets asks PrivateDirectory for")));

    @Test
    void onlyOneModuleMakesFilesWhereOthersWrite() throws IOException {
        Map<String, Set<String>> found = new TreeMap<>();
        for (Path file : MainSources.all()) {
            Set<String> calls = calls(Files.readString(file));
            if (!calls.isEmpty() && !file.toString().contains("/observation/internal/P")) {
                found.put(name(file), calls);
            }
        }
        assertThat(found).isNotEmpty();
        Map<String, Set<String>> unknown = new TreeMap<>(found);
        unknown.keySet().removeAll(ELSEWHERE.keySet());
        assertThat(unknown)
                .as("PublicFiles or PrivateDirectory must do it, or a reason says who else could write there")
                .isEmpty();
        assertThat(found.keySet()).as("reasons that are needed no more").containsAll(ELSEWHERE.keySet());
    }

    @Test
    void thePatternFindsThem() {
        assertThat(calls(
                        "Files.createDirectory(x); new PrintStream(file + 1); Path.of(\"/tmp\"); x.mkdirs(); // Files.move(\n"
                                + "new PrintStream(); Files.readString(x); Files.createTempFile(x, y); \"/tmpfs\""))
                .containsExactlyInAnyOrder("createDirectory", "PrintStream", "/tmp", "mkdirs");
    }

    /** The module's folder and the class: "core/binding/NativeFiles". */
    private static String name(Path file) {
        String module = ROOT.relativize(file).toString().replaceFirst("/src/main/java/.*", "");
        return module + "/" + String.valueOf(file.getFileName()).replace(".java", "");
    }

    private static Set<String> calls(String source) {
        Set<String> calls = new TreeSet<>();
        Matcher call = CALL.matcher(source.replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("(?m)//.*$", ""));
        while (call.find()) {
            for (int group = 1; group <= call.groupCount(); group++) {
                if (call.group(group) != null) {
                    calls.add(call.group(group));
                }
            }
        }
        return calls;
    }
}
