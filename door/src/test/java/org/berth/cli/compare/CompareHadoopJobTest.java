package org.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.cli.CliProcess;
import org.berth.oracle.Child;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Comparisons of Hadoop's scripts; the script here prints the configuration that Hadoop's would find first on its class path. */
final class CompareHadoopJobTest extends ComparisonTest {

    private Path script = Path.of("hadoop");
    private String jar = "";
    private String app = "";

    @BeforeEach
    void prepare() throws IOException {
        jar = Files.createFile(folder.resolve("berth-hadoop-1.jar")).toString();
        app = Files.createFile(folder.resolve("app.jar")).toString();
        Path home = Files.createDirectories(folder.resolve("home/etc/hadoop")).resolve("../..");
        Files.writeString(home.resolve("etc/hadoop/mapred-site.xml"), "<configuration/>\n");
        Files.createDirectory(home.resolve("bin"));
        script = Files.writeString(
                home.resolve("bin/hadoop"),
                "#!/bin/sh\necho first=$HADOOP_USER_CLASSPATH_FIRST $HADOOP_CLASSPATH\ncat ${HADOOP_CLASSPATH%%:*}/mapred-site.xml"
                        + " 2>/dev/null || true\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    private Child.Result compare(Map<String, String> environment, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("compare", "--runs", "1"));
        words.addAll(List.of(options));
        try (CliProcess run = CliProcess.start(folder, List.of(), environment, words.toArray(String[]::new))) {
            return run.finish();
        }
    }

    @Test
    void aJobRunsInItsOwnEngineAndInThatOfBerth() throws Exception {
        Child.Result result = compare(
                Map.of("HADOOP_CLASSPATH", "/mine.jar:" + jar),
                "--results",
                results.toString(),
                "--",
                script.toString(),
                "jar",
                app,
                "in",
                "out");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(output("stock")).isEqualTo("first= /mine.jar:" + jar);
        for (String arm : List.of("berth", "berth-core")) {
            String level = arm.equals("berth") ? "none" : "core";
            assertThat(output(arm))
                    .startsWith("first=true " + results.resolve("engine-" + arm) + ":/mine.jar:" + jar + "\n")
                    .contains("<xi:include href=\"" + folder.toRealPath().resolve("home/etc/hadoop/mapred-site.xml")
                            + "\"/>")
                    .contains("<name>mapreduce.framework.name</name><value>berth</value>")
                    .contains("<name>berth.mapreduce.level</name><value>" + level + "</value>");
        }
    }

    @Test
    void aJobWithoutBerthsEngineIsNotComparedByItsClient() throws Exception {
        Child.Result none = compare(Map.of(), "--", script.toString(), "--loglevel", "WARN", "jar", app);
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.err()).hasLineCount(1).contains("export HADOOP_CLASSPATH=/PATH/TO/berth-hadoop-VERSION.jar");

        Child.Result fixed = compare(
                Map.of("HADOOP_CLASSPATH", jar),
                "--",
                script.toString(),
                "jar",
                "a.jar",
                "-Dmapreduce.framework.name=yarn");
        assertThat(fixed.exitCode()).isEqualTo(2);
        assertThat(fixed.err())
                .hasLineCount(1)
                .contains("mapreduce.framework.name=yarn in the command: each arm sets it");
    }

    @Test
    void jarsThatAreNotThereAreFoundBeforeTheFirstRun() throws Exception {
        String none = folder.resolve("missing.jar").toString();
        Child.Result mine =
                compare(Map.of("HADOOP_CLASSPATH", jar), "--", script.toString(), "--loglevel", "WARN", "jar", none);
        assertThat(mine.exitCode()).isEqualTo(1);
        assertThat(mine.err())
                .startsWith("berth: arm stock needs " + none + " (jar), which does not exist; ")
                .hasLineCount(1);
        String engine = folder.resolve("berth-hadoop-2.jar").toString();
        Child.Result berths = compare(Map.of("HADOOP_CLASSPATH", engine), "--", script.toString(), "jar", app);
        assertThat(berths.exitCode()).isEqualTo(1);
        assertThat(berths.err())
                .startsWith("berth: arm stock needs " + engine
                        + " (HADOOP_CLASSPATH), which does not exist ('./package' in a checkout builds it); ")
                .hasLineCount(1);
    }
}
