package org.berth.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.cli.CliProcess;
import org.berth.cli.CommandLines;
import org.berth.machines.JsonValues;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real races of numbers of processes, which print how long they "took", so that the load of the machine does not decide. */
@Tag("one-jdk")
@Timeout(600)
final class TuneShapesTest {
    @TempDir
    private Path folder;

    private Path results;

    @BeforeEach
    void needsTwoCpus() {
        Machine.requireCpus(2);
        results = folder.resolve("results");
    }

    private List<String> words(String metric, String... options) {
        List<String> words = new ArrayList<>(List.of("tune", "--metric", metric, "--json"));
        words.add(folder + "/answer.json");
        words.addAll(List.of(options));
        words.add("--");
        return words;
    }

    private Child.Result tune(List<String> words, String... command) throws Exception {
        List<String> all = new ArrayList<>(words);
        all.addAll(1, List.of("--results", results.toString()));
        all.addAll(List.of(command));
        return CliProcess.run(folder, all.toArray(String[]::new));
    }

    private Map<?, ?> json() throws Exception {
        return JsonValues.object(Files.readString(folder.resolve("answer.json")));
    }

    private static String line(Child.Result result, String start) {
        return result.out()
                .lines()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .orElseThrow()
                .substring(start.length());
    }

    private List<String> trials(String part) throws Exception {
        return Files.readAllLines(results.resolve(part).resolve("trials.jsonl")).stream()
                .filter(line -> line.contains("\"kind\":\"trial\""))
                .toList();
    }

    /** Two processes take less, and bound ones still less; the slower one counts. The placeholders and nproc tell the command. */
    @Test
    void aPlantedShapeIsFoundAndItsLineMakesIt() throws Exception {
        String script = "echo took $((20 - 5 * ({n} - 1) - 3 * ({n} == 2 && $(nproc) == {cpucount}) + {i})) s";
        Child.Result result = tune(words("took=took ([0-9]+) s", "--into", "1,2", "--runs", "30"), "sh", "-c", script);
        assertThat(result.exitCode()).as(result.err() + result.out()).isZero();
        assertThat(result.err()).contains("into-1+none: same as none on this machine, not run");
        assertThat(result.out())
                .containsPattern("into-2\\+none +2 .* 0.800 +[0-9]+ +after heat 1\n")
                .containsPattern("into-2 +2 .* 0.650 +[0-9]+ +winner: faster\n")
                .containsPattern("into-2 is 3[0-9].* faster than none in took\\.\nUse: ");
        String use = line(result, "Use: ");
        assertThat(use).startsWith("berth split --into 2 --memory ").endsWith(" -- sh -c '" + script + "'");
        Child.Result pasted = CommandLines.start(
                List.of("bash", "-c", use.replaceFirst("^berth", "bash " + folder.resolve("berth.sh"))), Map.of());
        assertThat(pasted.out().lines()).containsExactlyInAnyOrder("0 | took 12 s", "1 | took 13 s");

        List<?> candidates = (List<?>) JsonValues.field(json(), "candidates");
        Map<?, ?> shape = (Map<?, ?>) JsonValues.field((Map<?, ?>) candidates.get(2), "shape");
        assertThat(shape.get("into")).isEqualTo("2");
        assertThat((List<?>) shape.get("parts")).hasSize(2);
    }

    /** Each of two processes has the whole rate. A race that was stopped goes on, and runs nothing twice. */
    @Test
    void ratesAddUpAndAStoppedRaceGoesOn() throws Exception {
        Path ran = folder.resolve("ran");
        // 3 processes are the warm-up, 3 the first round; one in the second waits.
        String script = "echo x >>" + ran + "; [ $(wc -l <" + ran + ") != 7 ] || sleep 100; echo rate 10";
        List<String> words =
                words("rate[op/s,higher]=rate ([0-9]+)", "--into", "2", "--levels", "none", "--runs", "14");
        words.addAll(List.of("sh", "-c", script));
        List<String> first = new ArrayList<>(words);
        first.addAll(1, List.of("--results", results.toString()));
        try (CliProcess race = CliProcess.start(folder, first.toArray(String[]::new))) {
            race.awaitLines(ran, 7);
            race.signal("INT");
            assertThat(race.finish().exitCode()).isEqualTo(1);
        }
        List<String> before = trials("confirmation");
        words.addAll(1, List.of("--resume", results.toString()));
        Child.Result resumed = CliProcess.run(folder, words.toArray(String[]::new));
        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        assertThat(line(resumed, "Use: ")).startsWith("berth split --into 2 --unbound -- sh -c ");
        assertThat(resumed.out()).containsPattern("into-2\\+none is .* higher than none in rate\\.");
        assertThat(trials("warm-up")).hasSize(2);
        assertThat(trials("confirmation").subList(0, before.size())).isEqualTo(before);
        assertThat(trials("confirmation"))
                .filteredOn(one -> one.contains("COMPLETED"))
                .hasSize(12);

        words.set(words.indexOf("none"), "part");
        Child.Result other = CliProcess.run(folder, words.toArray(String[]::new));
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.err()).contains("cannot resume ").contains("it is another experiment: arms was");
    }

    /** The JVM itself tells its options. */
    @Test
    void optionsOfTheJvmReachEachProcess() throws Exception {
        Child.Result result = tune(
                words(
                        "heap[B]=MaxHeapSize += ([0-9]+)",
                        "--into",
                        "2",
                        "--levels",
                        "none",
                        "--jvm-flags",
                        "gc-threads",
                        "--runs",
                        "14"),
                CliProcess.JAVA,
                "-Xmx{heap}",
                "-XX:+UseParallelGC",
                "-XX:+PrintFlagsFinal",
                "-version");
        assertThat(result.exitCode()).as(result.err() + result.out()).isZero();
        assertThat(line(result, "Use: ")).contains("--unbound -- ").contains("java -XX:ParallelGCThreads=");
        String threads = line(result, "Use: ").replaceAll(".*ParallelGCThreads=([0-9]+) .*", "$1");
        Path log;
        // Its number is that of its turn, which is drawn.
        try (DirectoryStream<Path> logs =
                Files.newDirectoryStream(results.resolve("warm-up"), "*-round-1-into-2_none_gc-threads.log")) {
            log = logs.iterator().next();
        }
        assertThat(Files.readString(log))
                .containsPattern("(?m)^0 \\| .* ParallelGCThreads += " + threads + " ")
                .containsPattern("(?m)^1 \\| .* ParallelGCThreads += " + threads + " ");
    }

    /** A stand-in for spark-submit, which prints what its words say. */
    @Test
    void executorsAreSettingsOfTheSubmittedApplication() throws Exception {
        Path submit = Files.writeString(folder.resolve("spark-submit"), """
                #!/bin/sh
                case "$*" in
                  *"spark.master=local-cluster[2,"*app.jar) echo took 5 s ;;
                  *"spark.master=local-cluster[1,"*app.jar) echo took 10 s ;;
                esac
                """);
        Files.setPosixFilePermissions(submit, PosixFilePermissions.fromString("rwxr-xr-x"));
        Child.Result result = tune(
                words("took=took ([0-9]+) s", "--into", "2", "--levels", "none", "--heap", "128m", "--runs", "14"),
                submit.toString(),
                Files.createFile(folder.resolve("app.jar")).toString());
        assertThat(result.exitCode()).as(result.err() + result.out()).isZero();
        assertThat(line(result, "Use: ")).matches(submit + " --conf spark.executor.cores=\\d+ .*/app.jar");
        assertThat(result.out()).contains("Setting: spark.executor.memory 64m\n");
        Map<?, ?> settings = (Map<?, ?>) JsonValues.field(json(), "settings");
        assertThat(settings.get("spark.executor.memory")).isEqualTo("64m");
    }

    @Test
    void executorsThatCouldNotStartAreAUsageError() throws Exception {
        String[] words = {"tune", "--into", "1,2", "--spark", "--", CliProcess.JAVA, "-cp", "x", "App"};
        List<String> without = List.of("env", "-u", "SPARK_HOME", "SPARK_SCALA_VERSION=2.13");
        try (CliProcess race = CliProcess.start(folder, without, Map.of(), words)) {
            Child.Result result = race.finish();
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err())
                    .startsWith("berth: executors start on this host by local-cluster, which needs SPARK_HOME in the")
                    .hasLineCount(1);
        }
    }
}
