package org.berth.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.JarFiles;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same on YARN: a real ResourceManager and NodeManager, containers that have nothing of Berth but what YARN ships. */
@Tag("cluster")
@Tag("release")
@Tag("one-jdk")
@Timeout(300)
class OnYarnTest {
    private static final String JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    @TempDir
    static Path shared;

    private static Child cluster;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() throws IOException {
        Machine.requireCpus(2);
        String classPath =
                Files.readString(Path.of(Objects.requireNonNull(System.getProperty("berth.yarn.class.path"))));
        List<String> program = List.of("org.berth.cluster.YarnProgram", shared.toString());
        ChildJvm jvm = ChildJvm.of(OnYarnTest.class).classPath(classPath.strip());
        cluster = Child.start(
                new ChildJvm(jvm.java(), List.of(), List.of("-Xmx128m"), jvm.environment(), jvm.classPath(), program)
                        .builder());
        assertThat(cluster.readLine()).isEqualTo("up");
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private SparkHome spark() throws IOException {
        return SparkHome.in(folder).withHadoop(shared.resolve("conf"));
    }

    private List<String> settings(SparkHome spark) {
        return List.of(
                "spark.yarn.jars=local:" + spark.folder() + "/jars/*",
                "spark.yarn.stagingDir=" + folder.resolve("staging"),
                "spark.yarn.am.memory=384m",
                "spark.executor.instances=2",
                "spark.executor.memory=512m",
                "spark.berth.level=pu",
                "spark.berth.guard=off",
                "spark.executorEnv.BERTH_LEASES=" + folder.resolve("leases"),
                "spark.ui.enabled=false");
    }

    /** With the library that YARN ships, as the page of Spark has it. */
    @Test
    void yarnShipsTheJarAndTheAgent() throws Exception {
        SparkHome spark = spark();
        Path library = folder.resolve("libberth.so");
        try (ZipFile jar = new ZipFile(JarFiles.one().toFile());
                InputStream in = jar.getInputStream(jar.stream()
                        .filter(entry -> entry.getName()
                                .endsWith(System.getProperty("os.arch").replace("amd64", "x86_64") + "/libberth.so"))
                        .findAny()
                        .orElseThrow())) {
            Files.copy(in, library);
        }
        List<String> words = new ArrayList<>(List.of("--master", "yarn", "--driver-java-options", JVM));
        Stream.concat(
                        settings(spark).stream(),
                        Stream.of(
                                "spark.plugins=org.berth.spark.AffinityPlugin",
                                "spark.yarn.dist.files=" + library + "#libberth.so",
                                "spark.executor.extraJavaOptions=" + JVM + " -agentpath:./libberth.so=domain=core"))
                .forEach(setting -> words.addAll(List.of("--conf", setting)));
        words.addAll(List.of(
                "--jars",
                JarFiles.one().toString(),
                "--class",
                SparkProgram.class.getName(),
                new UserJobs(folder).job().toString()));
        Child.Result result = spark.submit(words);
        UserJobs.assertTasksAreBound(result, "shipped");
    }

    @Test
    void mapReduceSendsItsJarToContainers() throws Exception {
        SparkHome spark = spark();
        UserJobs user = new UserJobs(folder);
        List<String> words = new ArrayList<>(List.of(
                user.job().toString(),
                WordCount.class.getName(),
                "-Dmapreduce.framework.name=berth",
                "-Dberth.mapreduce.engine=spark",
                "-Dberth.mapreduce.spark.master=yarn",
                "-Dspark.executor.extraJavaOptions=" + JVM,
                "-Dhadoop.tmp.dir=" + folder.resolve("tmp")));
        settings(spark)
                .forEach(setting -> words.add("-D" + setting.replace("spark.berth.level", "berth.mapreduce.level")));
        words.addAll(List.of(user.input(), folder.resolve("out").toString()));
        Child.Result result = spark.hadoopJar(
                Path.of(System.getProperty("berth.hadoop.jar", ""))
                                .toAbsolutePath()
                                .normalize() + ":",
                words);
        assertThat(result.exitCode()).as(result.err()).isZero();
        user.assertWords(result, "shipped");
    }
}
