package org.berth.shipped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.oracle.Child;
import org.berth.oracle.JarFiles;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each way that the pages of the engines name to bring the jars to executors, which are JVMs of their own without Berth. */
@Tag("cluster")
@Tag("one-jdk")
@Timeout(600)
class ShippedJarsTest {
    private static final Path SPARK_JAR = JarFiles.one();
    private static final Path HADOOP_JAR =
            Path.of(System.getProperty("berth.hadoop.jar", "")).toAbsolutePath().normalize();
    private static final String JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    @TempDir
    Path folder;

    private SparkHome spark;
    private UserJobs user;

    @BeforeEach
    void start() throws IOException {
        Machine.requireCpus(2);
        spark = SparkHome.in(folder);
        user = new UserJobs(folder);
    }

    @Test
    void sparkShipsTheJarOfOptionJars() throws Exception {
        Child.Result result = submit("--jars", SPARK_JAR.toString());
        UserJobs.assertTasksAreBound(result, "shipped");
        assertBlocksCameOverTheTransport();
    }

    /** From a repository of the form that Maven Central has. */
    @Test
    @Tag("release")
    void sparkShipsTheJarOfOptionPackages() throws Exception {
        String name = "org/berth/berth-spark/1.2.3/berth-spark-1.2.3";
        Path jar = folder.resolve("repository/" + name + ".jar");
        Files.createDirectories(jar.getParent());
        Files.copy(SPARK_JAR, jar);
        Files.writeString(folder.resolve("repository/" + name + ".pom"), """
                <project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
                <groupId>org.berth</groupId><artifactId>berth-spark</artifactId><version>1.2.3</version></project>
                """);
        Child.Result result = submit(
                "--packages",
                "org.berth:berth-spark:1.2.3",
                "--repositories",
                folder.resolve("repository").toUri().toString(),
                "--conf",
                "spark.jars.ivy=" + folder.resolve("ivy"));
        UserJobs.assertTasksAreBound(result, "shipped");
    }

    private Child.Result submit(String... way) throws IOException {
        List<String> words = common();
        words.addAll(List.of(
                "--conf",
                "spark.plugins=org.berth.spark.AffinityPlugin",
                "--conf",
                "spark.shuffle.manager=org.berth.shuffle.BerthShuffleManager",
                "--conf",
                "spark.shuffle.readHostLocalDisk=false",
                "--conf",
                "spark.berth.level=pu"));
        words.addAll(List.of(way));
        words.addAll(List.of("--class", SparkProgram.class.getName(), user.job().toString()));
        return spark.submit(words);
    }

    private static List<String> common() {
        return new ArrayList<>(List.of(
                "--master",
                "local-cluster[2,1,512]",
                "--driver-memory",
                "512m",
                "--driver-java-options",
                JVM,
                "--conf",
                "spark.executor.memory=512m",
                "--conf",
                "spark.executor.extraJavaOptions=" + JVM,
                "--conf",
                "spark.berth.guard=off",
                "--conf",
                "spark.ui.enabled=false"));
    }

    private void assertBlocksCameOverTheTransport() throws IOException {
        assertThat(spark.executorLogs())
                .hasSize(2)
                .anyMatch(log -> log.contains(" come over local"))
                .noneMatch(log -> log.contains("Spark's own way"));
    }

    /** The client has Berth's jar, and sends it to executors. */
    @Test
    void mapReduceSendsItsJarToSparksExecutors() throws Exception {
        Child.Result result = spark.hadoopJar(HADOOP_JAR + ":", jobOnSpark());
        assertThat(result.exitCode()).as(result.err()).isZero();
        // The client has it installed: the maps ran elsewhere.
        user.assertWords(result, "shipped");
    }

    private List<String> jobOnSpark() throws IOException {
        return List.of(
                user.job().toString(),
                WordCount.class.getName(),
                "-Dmapreduce.framework.name=berth",
                "-Dberth.mapreduce.engine=spark",
                "-Dberth.mapreduce.spark.master=local-cluster[2,1,512]",
                "-Dberth.mapreduce.level=pu",
                "-Dspark.berth.guard=off",
                "-Dspark.executor.memory=512m",
                "-Dspark.executor.extraJavaOptions=" + JVM,
                "-Dspark.ui.enabled=false",
                "-Dhadoop.tmp.dir=" + folder.resolve("tmp"),
                user.input(),
                folder.resolve("out").toString());
    }

    /** The program's own application has Berth's jar by --jars: driver and executors load it by another loader than Hadoop. */
    @Test
    @Tag("release")
    void mapReduceRunsInTheApplicationOfTheProgram() throws Exception {
        List<String> words = common();
        words.addAll(List.of(
                "--jars",
                HADOOP_JAR.toString(),
                "--conf",
                "spark.plugins=org.berth.mapreduce.spark.MapReducePlugin,org.berth.spark.AffinityPlugin",
                "--conf",
                "spark.berth.level=pu",
                "--class",
                WordCountInSpark.class.getName()));
        words.addAll(List.of(
                user.job().toString(),
                "-Dmapreduce.framework.name=berth",
                "-Dberth.mapreduce.engine=spark",
                "-Dhadoop.tmp.dir=" + folder.resolve("tmp"),
                user.input(),
                folder.resolve("out").toString()));
        Child.Result result = spark.submit(words);
        assertThat(result.out().lines()).as(result.err()).contains("code 0", "executors 2");
        user.assertWords(result, "shipped");
    }

    /** The embedded driver in a client that has nothing of Berth on its class path. */
    @Test
    void hadoopShipsTheJarOfOptionLibjars() throws Exception {
        Child.Result result = spark.hadoopJar(
                "",
                List.of(
                        user.job().toString(),
                        WordCount.class.getName(),
                        "-libjars",
                        HADOOP_JAR.toString(),
                        "-Dmapreduce.framework.name=berth",
                        "-Dberth.mapreduce.level=pu",
                        "-Dberth.mapreduce.guard=off",
                        "-Dhadoop.tmp.dir=" + folder.resolve("tmp"),
                        user.input(),
                        folder.resolve("out").toString()));
        assertThat(result.exitCode()).as(result.err()).isZero();
        user.assertWords(result, "shipped");
    }

    /** Four tasks on two slots: this is as many as there is room for. */
    @Test
    @Tag("release")
    void aTaskMayTakeHalfACpu() throws Exception {
        String version = spark.version();
        assumeTrue(
                version.matches("4\\.([3-9]|\\d\\d).*|[5-9].*"),
                "Spark " + version + " takes whole CPUs for a task only");
        Child.Result result = submit(
                "--jars", SPARK_JAR.toString(), "--master", "local-cluster[1,2,512]", "--conf", "spark.task.cpus=0.5");
        UserJobs.assertTasksAreBound(result, "shipped");
        assertThat(spark.executorLogs())
                .singleElement()
                .asString()
                .contains("Berth: level pu on CPUs ")
                .doesNotContain("unbound", "more tasks at a time");
    }
}
