package org.berth.onejar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.JarFiles;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SparkSubmit with berth-spark as the only jar of Berth, and with more than one. */
@Tag("cluster")
@Tag("one-jdk")
@Timeout(600)
class SparkJarTest {
    /** Tag of the test that testing/spark-jar-4.0 runs, too. */
    private static final String EACH_SPARK = "each-spark";

    private static final Path ONE = JarFiles.one();

    @TempDir
    Path folder;

    private final List<String> classPath = new ArrayList<>();

    @BeforeEach
    void needsTwoCpus() throws IOException {
        Machine.requireCpus(2);
        String version = org.apache.spark.package$.MODULE$.SPARK_VERSION();
        assumeTrue(
                Runtime.version().feature() < 24 || !version.startsWith("4.0."),
                "the Hadoop client of Spark " + version + " does not run on JDK 24 and later");
    }

    private Child.Result submit(String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "--conf",
                "spark.plugins=org.berth.spark.AffinityPlugin",
                "--conf",
                "spark.shuffle.manager=org.berth.shuffle.BerthShuffleManager",
                "--conf",
                "spark.berth.level=pu",
                "--conf",
                "spark.berth.guard=off",
                "--conf",
                "spark.ui.enabled=false"));
        words.addAll(List.of(options));
        words.addAll(List.of("--class", MaskJob.class.getName(), job().toString()));
        Files.createDirectories(folder.resolve("home/jars"));
        ChildJvm jvm = new ChildJvm(
                        ChildJvm.JAVA,
                        List.of(),
                        List.of("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED", "-Xmx512m", "-XX:TieredStopAtLevel=1"),
                        java.util.Map.of(),
                        Stream.concat(classPath.stream(), Stream.of(JarFiles.engine()))
                                .collect(Collectors.joining(":")),
                        Stream.concat(Stream.of("org.apache.spark.deploy.SparkSubmit"), words.stream())
                                .toList())
                .environment("SPARK_HOME", folder.resolve("home").toString())
                .environment("SPARK_SCALA_VERSION", "2.13")
                .environment("SPARK_LOCAL_IP", "127.0.0.1")
                .environment("SPARK_LOCAL_HOSTNAME", "localhost")
                .environment("BERTH_LEASES", folder.resolve("leases").toString());
        return Child.run(jvm.builder().directory(folder.toFile()));
    }

    private Path job() throws IOException {
        return JarFiles.job(folder.resolve("job.jar"), MaskJob.class);
    }

    private static List<String> berthLines(String log) {
        return log.lines().filter(line -> line.contains(" Berth: ")).toList();
    }

    private static void assertEachTaskHasOneCpu(Child.Result result) {
        assertThat(result.output().lines().filter(line -> line.startsWith("map ")))
                .as(result.err())
                .isNotEmpty()
                .allMatch(line -> line.matches("map \\d+, reduce \\d+"));
    }

    private static List<String> aboutCopies(String log) {
        return berthLines(log).stream()
                .filter(line -> line.contains("copies of Berth") || line.contains("versions of Berth"))
                .toList();
    }

    @Test
    void nothingButBerthIsVisible() throws IOException {
        assertThat(JarFiles.names(ONE))
                .allMatch(name ->
                        name.matches("org/berth/.*|META-INF/berth/.*|META-INF/native/linux-.*|META-INF/MANIFEST.MF"))
                .noneMatch(name -> name.matches(".*/(Main|picocli.*|jspecify.*)\\.class"))
                .contains(
                        "org/berth/spark/AffinityPlugin.class",
                        "org/berth/shuffle/BerthShuffleManager.class",
                        "META-INF/berth/licenses/HWLOC-COPYING");
        assertThat(JarFiles.names(ONE).stream().filter(name -> name.endsWith(".class")))
                .allMatch(name -> name.startsWith("org/berth/"));
    }

    @Test
    void oneJarBindsTasks() throws Exception {
        Child.Result result = submit("--master", "local[2]", "--jars", ONE.toString());
        assertEachTaskHasOneCpu(result);
        assertThat(berthLines(result.err())).noneMatch(line -> line.contains(" WARN "));
        assertThat(aboutCopies(result.err())).isEmpty();
    }

    @Test
    @Tag(EACH_SPARK)
    void theSameJarOnTheClassPathOfExecutorsIsOneLineInEach() throws Exception {
        Path installed = Files.copy(ONE, folder.resolve("installed.jar"));
        Child.Result result = submit(
                "--master",
                "local-cluster[2,1,512]",
                "--jars",
                ONE.toString(),
                "--conf",
                "spark.executor.memory=512m",
                "--conf",
                "spark.shuffle.readHostLocalDisk=false",
                "--conf",
                "spark.executor.extraJavaOptions=-XX:TieredStopAtLevel=1",
                "--conf",
                "spark.executor.extraClassPath=" + installed + ":" + JarFiles.engine());
        assertEachTaskHasOneCpu(result);
        List<String> logs = executorLogs();
        assertThat(logs).hasSize(2);
        for (String log : logs) {
            assertThat(aboutCopies(log))
                    .as(log)
                    .singleElement()
                    .asString()
                    .matches(".* 2 copies of Berth are on the class path: \\S+ in " + installed.toRealPath()
                            + " is used, \\S+ in \\S+/berth-spark-\\S+\\.jar is not; keep one of them");
            assertThat(berthLines(log)).anyMatch(line -> line.contains("Berth: level pu on CPUs"));
        }
    }

    private List<String> executorLogs() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("home"))) {
            List<String> logs = new ArrayList<>();
            for (Path file : files.filter(path -> path.endsWith("stderr")).toList()) {
                logs.add(Files.readString(file));
            }
            return logs;
        }
    }

    @Test
    @Tag("release")
    void ofTwoVersionsOfBerthTheFirstBinds() throws Exception {
        Path newer = JarFiles.otherVersion(folder.resolve("newer.jar"), "9.9.9", name -> true);
        classPath.add(newer.toString());
        Child.Result result = submit("--master", "local[2]", "--jars", ONE.toString());
        assertEachTaskHasOneCpu(result);
        assertThat(aboutCopies(result.err()))
                .as(result.err())
                .singleElement()
                .asString()
                .contains(" 9.9.9 in " + newer.toRealPath() + " is used, ", " in " + ONE + " is not; keep one of them");
    }

    @Test
    void ofMixedVersionsOfBerthNoneBindsAndTheJobRunsOn() throws Exception {
        Path half = JarFiles.otherVersion(
                folder.resolve("half.jar"), "9.9.9", name -> !name.startsWith("org/berth/spark/"));
        classPath.add(half.toString());
        classPath.add(ONE.toString());
        Child.Result result = submit("--master", "local[2]");
        assertThat(result.output())
                .as(result.err())
                .contains("map " + Machine.cpuList() + ", reduce " + Machine.cpuList());
        assertThat(aboutCopies(result.err()))
                .singleElement()
                .asString()
                .contains(
                        "two versions of Berth are mixed on the class path",
                        " in " + ONE,
                        " 9.9.9 in " + half.toRealPath());
    }
}
