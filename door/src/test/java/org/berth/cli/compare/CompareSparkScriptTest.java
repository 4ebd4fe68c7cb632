package org.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.oracle.Child;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Comparisons of Spark's scripts; the script here prints the words that it gets. */
final class CompareSparkScriptTest extends ComparisonTest {
    private String job = "";

    @BeforeEach
    void makeApplication() throws IOException {
        job = Files.createFile(folder.resolve("job.py")).toString();
    }

    private Path script(String line) throws IOException {
        Path script = Files.writeString(folder.resolve("spark-submit"), "#!/bin/sh\n" + line + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    /** The verdict of a level is about the whole of Spark on few CPUs, and not about the plugin. */
    @Test
    void aScriptOfSparkIsToldHowToCompareThePlugin() throws Exception {
        Path script = script("sleep 0.1");
        String[] options = {
            "--levels",
            "none,pu",
            "--threads",
            "1",
            "--runs",
            "1",
            "--results",
            results.toString(),
            "--",
            script.toString(),
            job
        };
        Child.Result result = compare(options);
        assertThat(result.exitCode()).as(result.err()).isZero();
        String line = "not run: the Spark plugin: a level binds the command as a whole";
        assertThat(result.out()).containsIgnoringCase(line).contains("docs/commands/compare.md#sparks-plugin");
        assertThat((result.out() + result.err()).split("add --jars", -1))
                .as("once")
                .hasSize(2);

        String jar = Files.createFile(folder.resolve("berth-spark-1.jar")).toString();
        Child.Result withJar = compare(
                "--levels",
                "none,pu",
                "--threads",
                "1",
                "--runs",
                "1",
                "--results",
                folder.resolve("with-jar").toString(),
                "--",
                script.toString(),
                "--jars",
                jar,
                job);
        assertThat(withJar.exitCode()).as(withJar.err()).isZero();
        assertThat(withJar.out() + withJar.err())
                .contains("without --threads, --rule and --balance-or-bind the levels of the plugin are compared")
                .doesNotContain("add --jars");
    }

    /** The arms of such a script are the plugin's levels, beside what the user's own settings are. */
    @Test
    void aScriptOfSparkWithThePluginsJarHasItsLevelsForArms() throws Exception {
        Path script = script("echo \"$*\"");
        String jar = Files.createFile(folder.resolve("berth-spark-1.jar")).toString();
        String jars = "--jars " + jar;
        String[] options = {
            "--runs",
            "1",
            "--results",
            results.toString(),
            "--",
            script.toString(),
            "--jars",
            jar,
            "--conf",
            "spark.plugins=org.example.Other",
            job
        };
        Child.Result result = compare(options);
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(output("none")).isEqualTo("--conf spark.plugins=org.example.Other " + jars + " " + job);
        for (String level : List.of("auto", "core")) {
            assertThat(output(level))
                    .isEqualTo(
                            "--conf spark.plugins=org.example.Other,org.berth.spark.AffinityPlugin --conf spark.berth.level="
                                    + level + " " + jars + " " + job);
        }
        String[] fixed = {"--", script.toString(), "--jars", "berth-spark.jar", "--conf", "spark.berth.level=core", job
        };
        Child.Result refused = compare(fixed);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).hasLineCount(1).contains("spark.berth.level=core in the command: each arm sets it");
    }

    @Test
    void whatIsNotThereIsFoundBeforeTheFirstRun() throws Exception {
        String script = script("echo \"$*\"").toString();
        String none = folder.resolve("missing.jar").toString();
        for (List<String> words : List.of(
                List.of(none, "the application"),
                List.of("--name", "x", "--supervise", none, "the application"),
                List.of("--jars=" + none, job, "--jars"),
                List.of("--conf", "spark.jars=" + none, job, "spark.jars"))) {
            List<String> line = new ArrayList<>(List.of("--threads", "1", "--levels", "none,pu", "--", script));
            line.addAll(words.subList(0, words.size() - 1));
            Child.Result result = compare(line.toArray(String[]::new));
            assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
            assertThat(result.err())
                    .startsWith("berth: arm none needs " + none + " (" + words.get(words.size() - 1)
                            + "), which does not exist; ")
                    .hasLineCount(1);
        }
        String own = folder.resolve("berth-spark-1.jar").toString();
        Child.Result plugin = compare("--", script, "--jars", own, job);
        assertThat(plugin.exitCode()).isEqualTo(1);
        assertThat(plugin.err())
                .startsWith("berth: arm none needs " + own
                        + " (--jars), which does not exist ('./package' in a checkout builds it); ")
                .hasLineCount(1);
        Child.Result auto = compare("--levels", "none,auto", "--", script, job);
        assertThat(auto.exitCode()).isEqualTo(2);
        assertThat(auto.err())
                .startsWith("berth: --levels auto: it is a level of Spark's plugin, whose jar is not there: add --jars"
                        + " berth-spark-VERSION.jar to the command ('./package' in a checkout builds it); ")
                .hasLineCount(1);
    }
}
