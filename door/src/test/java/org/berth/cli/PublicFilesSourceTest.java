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
            Map.entry("place/binding/BindingRecords", PRIVATE),
            Map.entry("place/binding/InterruptBinding", KERNEL),
            Map.entry("place/binding/InterruptRecord", TEMPORARY),
            Map.entry("place/binding/NativeFiles", PRIVATE),
            Map.entry("place/binding/NativeLibrary", "it compares names only"),
            Map.entry("place/observation/JvmMemory", KERNEL),
            Map.entry("place/observation/ProcFile", KERNEL),
            Map.entry("carry/transport/LocalSockets", PRIVATE),
            Map.entry("carry/mapreduce/standalone/ArchiveJob", TEMPORARY),
            Map.entry("carry/mapreduce/spark/ExecutorJob", HADOOP),
            Map.entry("carry/mapreduce/client/BerthJob", HADOOP),
            Map.entry("carry/mapreduce/client/JobCache", HADOOP),
            Map.entry("carry/mapreduce/client/BerthClient", HADOOP),
            Map.entry("carry/spark-shuffle/BlockFile", HADOOP),
            Map.entry("place/hdfs/DecisionLog", USERS),
            Map.entry("place/commands/Terminal", "standard output and error"),
            Map.entry("place/commands/Supervisor", "standard output and error"),
            Map.entry("place/commands/ElfInterpreter", "it reads a program"),
            Map.entry("place/commands/OutputFile", USERS),
            Map.entry("place/commands/SparkConf", TEMPORARY),
            Map.entry("place/commands/SplitCommand", USERS),
            Map.entry("measure/commands/TuneCommand", RESULTS),
            Map.entry("carry/commands/JobProperties", TEMPORARY),
            Map.entry("place/commands/IrqCommand", ROOTS),
            Map.entry("measure/commands/CompareReport", RESULTS),
            Map.entry("measure/commands/HadoopCommand", RESULTS),
            Map.entry("measure/commands/WayArms", RESULTS),
            Map.entry("measure/commands/StudyRun", RESULTS),
            Map.entry("measure/commands/CompareFolder", RESULTS),
            Map.entry("measure/commands/ResultsLock", RESULTS),
            Map.entry("place/commands/Launch", "a temporary file of the script's"),
            Map.entry("place/commands/PlanFiles", PRIVATE),
            Map.entry("measure/jobs/TpchData", USERS),
            Map.entry("measure/programs/WorkFolder", HADOOP),
            Map.entry("measure/programs/WaitingFragments", HADOOP),
            Map.entry("measure/probes/DirectDiskWrite", USERS),
            Map.entry("measure/examples/ExampleInput", USERS),
            Map.entry("measure/examples/Example", USERS),
            Map.entry("measure/examples/ClusterHost", TEMPORARY),
            Map.entry("measure/examples/ExampleEngine", HADOOP),
            Map.entry("measure/uploads/LockWaits", TEMPORARY),
            Map.entry("measure/uploads/UploadMain", TEMPORARY),
            Map.entry("measure/uploads/HdfsJobOptions", TEMPORARY),
            Map.entry("measure/experiments/Timelines", RESULTS),
            Map.entry("measure/experiments/ExperimentRunner", RESULTS),
            Map.entry("measure/experiments/TrialLog", RESULTS),
            Map.entry("measure/experiments/RunPreparation", KERNEL),
            Map.entry("measure/experiments/KernelSwitch", ROOTS),
            Map.entry("measure/microbenchmarks/BareCalls", TEMPORARY),
            Map.entry("measure/microbenchmarks/DynamicBenchmark", KERNEL),
            Map.entry("measure/microbenchmarks/BirthCosts", TEMPORARY),
            Map.entry("packaging/UserFiles", USERS),
            Map.entry("carry/transport/Tuning", "it names the directory that LocalSockets asks PrivateDirectory for")));

    @Test
    void onlyOneModuleMakesFilesWhereOthersWrite() throws IOException {
        Map<String, Set<String>> found = new TreeMap<>();
        for (Path file : MainSources.all()) {
            Set<String> calls = calls(Files.readString(file));
            if (!calls.isEmpty()
                    && !file.toString().contains("/observation/internal/PublicFiles")
                    && !file.toString().contains("/observation/internal/PrivateDirectory")) {
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

    /** The module's folder and the class: "place/binding/NativeFiles". */
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
