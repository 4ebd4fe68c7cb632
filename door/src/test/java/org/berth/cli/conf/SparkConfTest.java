package org.berth.cli.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.cli.CommandLines;
import org.berth.machines.Goldens;
import org.berth.machines.JsonValues;
import org.berth.machines.Machines;
import org.berth.oracle.Child;
import org.berth.oracle.Child.Result;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparkConfTest {
    private static final String TWO_PACKAGES = "pack:2 [numa(memory=256GB)] l3:8 core:8 pu:2";

    @TempDir
    private Path folder;

    @Test
    void theHeapOfAnExecutorHasAPolicyOfItsOwn() throws IOException {
        String machine = Files.writeString(folder.resolve("machine.xml"), Machines.xml("2x8x2"))
                .toString();
        Result result = CommandLines.run("conf", "spark", "--heap-memory", "weighted:3,1@0-1", "--topology", machine);
        assertThat(result.out()).contains("=domain=numa,heap-memory=weighted:3,1@0-1\n");
    }

    @ParameterizedTest
    @CsvSource({
        "standalone, auto, ''",
        "standalone, core, 4",
        "standalone, core, 1",
        "standalone, pu, 3",
        "standalone, core, 40",
        "standalone, none, ''",
        "yarn, numa, ''",
        "kubernetes, core, 2",
        "local, core, ''"
    })
    void printsLinesForSparkDefaults(String manager, String level, String executors) throws IOException {
        String machine = Files.writeString(folder.resolve("machine.xml"), Machines.xml("2x8x2"))
                .toString();
        Result result = executors.isEmpty()
                ? CommandLines.run("conf", "spark", "--manager", manager, "--level", level, "--topology", machine)
                : CommandLines.run(
                        "conf",
                        "spark",
                        "--manager",
                        manager,
                        "--level",
                        level,
                        "--executors-per-host",
                        executors,
                        "--topology",
                        machine);
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(
                        result.out()
                                .contains(
                                        "# spark.jars or --jars must name berth-spark-VERSION.jar unless the class path has it\n"))
                .as("a pod template brings the plugin")
                .isEqualTo(!manager.equals("kubernetes"));
        Goldens.check("spark-conf/" + manager + "-" + level + "-" + executors + ".conf", result.out());
    }

    /** The same parts as those of 'berth split'. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            l3      | 16 executors per host, one on each L3 cache    | 16  | l3
            numa    | 2 executors per host, one on each memory node  | 128 | numa
            package | 2 executors per host, one on each package      | 128 | package
            8       | 8 executors per host, 16 cores each            | 32  | core:16
            """)
    void executorsAreThePartsOfAHost(String into, String words, String cores, String domain) {
        Result result = CommandLines.run(
                "conf", "spark", into.matches("\\d+") ? "--into" : "--domain", into, "--topology", TWO_PACKAGES);
        assertThat(result.err()).isEmpty();
        assertThat(result.out())
                .startsWith("# " + words + "\n")
                .containsPattern("spark.executor.cores +" + cores + "\n")
                .containsPattern("spark.executor.memory +\\d+[gm]\n")
                .contains("=domain=" + domain);
        assertThat(CommandLines.run("conf", "spark", "--into", "2", "--executors-per-host", "2")
                        .exitCode())
                .isEqualTo(2);
        assertThat(CommandLines.run("conf", "spark", "--heap", "2g").err())
                .contains("--heap needs --domain DOMAIN or --into N");
    }

    @Test
    void theHeapOfAHostIsDividedAmongItsExecutors() {
        assertThat(CommandLines.run("conf", "spark", "--into", "2", "--heap", "64g", "--topology", TWO_PACKAGES)
                        .out())
                .containsPattern("spark.executor.memory +32g\n");
        Result refused = CommandLines.run("conf", "spark", "--into", "2", "--heap", "much", "--topology", TWO_PACKAGES);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("--heap much: give the total heap of all processes");
    }

    @Test
    void oneMemoryNodeIsLeftAloneUnlessALevelIsGiven() {
        Result auto = CommandLines.run("conf", "spark", "--topology", "pack:1 core:4 pu:1");
        assertThat(auto.out()).contains("auto binds nothing here").doesNotContain("agentpath");
        Result core = CommandLines.run(
                "conf", "spark", "--topology", "pack:1 core:4 pu:1", "--level", "core", "--executors-per-host", "2");
        assertThat(core.out()).contains("-agentpath:/opt/berth/libberth.so=domain=core:2");
        assertThat(JsonValues.object(
                        CommandLines.run("conf", "spark", "--topology", "pack:2 numa:1 core:4 pu:1", "--json")
                                .out()))
                .isNotNull();
    }

    @Test
    void executorsAsManyAsCachesGetOneEach() {
        String epyc = "pack:1 [numa] l3:4 core:4 pu:2";
        assertThat(CommandLines.run("conf", "spark", "--topology", epyc).out())
                .contains("a host has 4 L3 caches: --executors-per-host 4 gives each executor one", "domain=numa");
        assertThat(CommandLines.run("conf", "spark", "--topology", epyc, "--executors-per-host", "4")
                        .out())
                .contains("4 executors per host, one on each L3 cache", "domain=l3", "cores             8");
    }

    /** The library that is written is one that a JVM takes, with exactly the option that is printed. */
    @Test
    void copiedLibraryAndPrintedOptionStartAJvm() throws Exception {
        Result result = CommandLines.run(
                "conf", "spark", "--level", "core", "--executors-per-host", "2", "--copy-library", folder.toString());
        Matcher option = Pattern.compile("-agentpath:\\S+").matcher(result.out());
        assertThat(option.find()).as(result.out() + result.err()).isTrue();
        assertThat(option.group()).startsWith("-agentpath:" + folder.resolve("libberth.so"));
        Child.Result jvm = Child.run(
                ChildJvm.JAVA.toString(), option.group() + ",strict,leases=" + folder.resolve("leases"), "-version");
        assertThat(jvm.exitCode()).as(jvm.err()).isZero();
    }

    /** A library that is overwritten ends the JVMs that have mapped it, so the second copy is another file. */
    @Test
    void copiedLibraryIsReplacedAndNotOverwritten() throws Exception {
        CommandLines.run("conf", "spark", "--level", "core", "--copy-library", folder.toString());
        Path file = folder.resolve("libberth.so");
        Object first = Files.getAttribute(file, "unix:ino");
        try (InputStream open = Files.newInputStream(file)) {
            CommandLines.run("conf", "spark", "--level", "core", "--copy-library", folder.toString());
            assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(first);
            assertThat(open.readAllBytes()).isEqualTo(Files.readAllBytes(file));
        }
        assertThat(Files.getPosixFilePermissions(file)).contains(PosixFilePermission.OTHERS_READ);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void mistakesAreWrongUsage() {
        Result manager = CommandLines.run("conf", "spark", "--manager", "mesos", "--topology", "pack:1 core:4 pu:1");
        assertThat(manager.exitCode()).isEqualTo(2);
        assertThat(manager.err()).contains("--manager 'mesos': choose from local, standalone, yarn, kubernetes");
        assertThat(CommandLines.run("conf", "spark", "--level", "diagonal").exitCode())
                .isEqualTo(2);
    }
}
