package org.berth.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.berth.cli.CliProcess;
import org.berth.cli.CommandLines;
import org.berth.machines.JsonValues;
import org.berth.oracle.Child;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Grids of shapes on machines that are not here, by {@code --dry-run}; and every mistake. */
@Tag("one-jdk")
class ShapeGridTest {
    /** 8 L3 caches on 2 nodes; PU 2n and 2n+1 are of one core. */
    private static final String SERVER = "pack:2 [numa(memory=256GB)] l3:4 core:8 pu:2";

    private static final String JAVA = CliProcess.JAVA;

    private static Child.Result dryRun(String machine, String options, String... command) {
        List<String> words = new ArrayList<>(List.of("tune", "--dry-run", "--topology", machine));
        words.addAll(List.of(options.split(" ", -1)));
        words.add("--");
        words.addAll(List.of(command));
        return CommandLines.run(words.toArray(String[]::new));
    }

    private static List<String> names(Child.Result result) {
        Map<String, Object> json = JsonValues.object(result.out());
        return ((List<?>) JsonValues.field(json, "candidates"))
                .stream()
                        .map(one -> String.valueOf(JsonValues.field((Map<?, ?>) one, "name")))
                        .toList();
    }

    private static List<String> dropped(Child.Result result) {
        return ((List<?>) JsonValues.field(JsonValues.object(result.out()), "dropped"))
                .stream().map(String::valueOf).toList();
    }

    @Test
    void partsThatAreTheSameAreOneCandidate() {
        Child.Result result = dryRun(SERVER, "--into 1,2,numa,l3,999", "job", "-Xmx{heap}");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out())
                .startsWith("A race of 4 candidates against none, on CPUs 0-127.\n")
                .containsPattern("none +1 +128 +[0-9]+m  --into 1 --unbound\n")
                .containsPattern("into-2 +2 +64 +119g  --into 2 --memory local\n")
                .containsPattern("into-l3\\+none +8 +16 +30464m  --domain l3 --unbound\n")
                .contains("  into-1: same as none on this machine\n")
                .contains("  into-numa: same parts as into-2 on this machine\n")
                .contains("  into-999: cannot make 999 parts of the 128 usable PUs 0-127")
                .contains("Runs: 5 in the warm-up, 4 candidates in 4 pairs, then 2 candidates in 8 pairs, at most 16"
                        + " pairs to confirm the winner: at most 81.\n")
                .contains("Time: that of 81 runs, 14 min at 10 s a run, 81 min at 1 min, 6.8 h at 5 min;");
    }

    /** All CPUs and as much heap in each candidate, whatever the number of parts. */
    @Test
    void totalsAreEqual() {
        Child.Result result = dryRun(SERVER, "--json --into 1,2,l3,16", "job", "{heap}");
        List<?> candidates = (List<?>) JsonValues.field(JsonValues.object(result.out()), "candidates");
        assertThat(candidates).hasSize(7).allSatisfy(one -> {
            Map<?, ?> shape = (Map<?, ?>) JsonValues.field((Map<?, ?>) one, "shape");
            assertThat(JsonValues.field((Map<?, ?>) one, "cpus")).isEqualTo("0-127");
            assertThat(((Number) Objects.requireNonNull(JsonValues.field(shape, "heapBytes"))).doubleValue())
                    .isBetween(0.94 * (128L << 30) * 1.8, 256e9);
        });
        Child.Result spark = dryRun(SERVER, "--json --into 3", "spark-submit", "app.jar");
        assertThat(spark.exitCode()).isEqualTo(1);
        assertThat(spark.err())
                .contains("nothing to tune")
                .contains(
                        "into-3: 3 executors of one size, 32 tasks each, would use 96 of 128, and all candidates have the"
                                + " same CPUs");
    }

    @Test
    void memoryPoliciesAndSmtRaceWhereTheyDiffer() {
        Child.Result two =
                dryRun(SERVER, "--json --into 2 --levels part --memory bind,local,interleave --smt on,off", "job");
        assertThat(names(two))
                .containsExactly(
                        "none",
                        "into-2+bind",
                        "into-2+local",
                        "into-2+interleave",
                        "into-2+bind+no-smt",
                        "into-2+local+no-smt",
                        "into-2+interleave+no-smt");
        Child.Result one = dryRun("pack:1 core:8 pu:1", "--json --into 1,2 --memory bind,local --smt on,off", "job");
        assertThat(names(one)).containsExactly("none", "into-2+none", "into-2+bind");
        assertThat(dropped(one))
                .contains(
                        "into-2+local: same as into-2+bind on this machine",
                        "into-2+no-smt: the cores of this machine have one PU each");
        assertThat(dropped(dryRun(SERVER, "--json --into 2 --smt on,off", "job")))
                .contains("into-2+none+no-smt: processes that are not bound use all PUs");
    }

    @Test
    void optionsOfTheJvmFitThePlace() {
        Child.Result result = dryRun(
                SERVER,
                "--into 1,2,l3 --levels part --jvm-flags=numa,gc-threads+thp,-XX:+UseZGC",
                JAVA,
                "-Xmx{heap}",
                "Job");
        assertThat(result.out())
                .containsPattern("into-1\\+numa .* --into 1 --unbound -XX:\\+UseNUMA\n")
                .containsPattern("into-2\\+gc-threads\\+thp .* -XX:ParallelGCThreads=32 -XX:ConcGCThreads=8"
                        + " -XX:\\+UseTransparentHugePages\n")
                .containsPattern("into-l3\\+-XX:\\+UseZGC .* -XX:\\+UseZGC\n")
                .contains("  into-2+numa: UseNUMA needs a JVM with several memory nodes, and process 0 has one\n");
        assertThat(dropped(dryRun("pack:1 core:8 pu:1", "--json --into 1,2 --jvm-flags none,gc-threads", JAVA, "Job")))
                .contains("into-2+gc-threads: a JVM with 4 CPUs has 4 collector threads anyway, one for each core");
        // Two of four nodes: spread over its own nodes with bind alone.
        assertThat(dropped(dryRun(
                        "pack:2 numa:2 core:4 pu:1",
                        "--json --into package --levels part --memory bind,local --jvm-flags numa",
                        JAVA,
                        "Job")))
                .containsExactly(
                        "into-package+local+numa: with memory local UseNUMA spreads the heap over nodes where the"
                                + " JVM has no CPU");
    }

    /** One core each, so that no thread could be elsewhere; and cores of one PU. */
    @Test
    void levelsOfThreadsRaceWhereThePartHasSeveralPlaces() {
        Child.Result result = dryRun(
                "pack:1 core:4 pu:1", "--json --into 1,4 --levels part,core,pu --jvm-flags none,thp", JAVA, "Job");
        assertThat(names(result))
                .containsExactly("none", "into-1+thp", "into-1+core", "into-1+core+thp", "into-4", "into-4+thp");
        assertThat(dropped(result))
                .contains(
                        "into-1: same as none on this machine",
                        "into-1+pu: same as into-1+core on this machine",
                        "into-4+core: same as into-4 on this machine");
        assertThat(dropped(dryRun("pack:1 core:4 pu:1", "--json --into 1,2 --levels part,core", "job")))
                .contains("into-2+core: only the agent gives threads slots, and it needs the command java");
    }

    @Test
    void executorsOfSparkAreSettings() {
        Child.Result result =
                dryRun(SERVER, "--into 1,l3 --levels none,auto,core --smt on,off", "spark-submit", "app.jar");
        assertThat(result.out())
                .containsPattern("none .* spark.executor.cores=128 spark.executor.memory=(\\d+)m"
                        + " spark.master=local-cluster\\[1,128,\\1\\]\n")
                .containsPattern("into-l3 .* spark.plugins=org.berth.spark.AffinityPlugin spark.berth.level=auto"
                        + " spark.executor.cores=16 spark.executor.memory=30464m"
                        + " spark.executor.extraJavaOptions=-agentpath:\\S+=domain=l3"
                        + " spark.master=local-cluster\\[8,16,30464\\]\n")
                .containsPattern("into-l3\\+core\\+no-smt .* spark.berth.level=core spark.executor.cores=8 ")
                .contains("into-1 ");
        String note =
                "the command does not name the jar of Spark's plugin, without which bound candidates fail: add --jars";
        assertThat(result.err()).startsWith("note: " + note).hasLineCount(1);
        assertThat(dryRun(SERVER, "--into 1,l3 --levels none", "spark-submit", "app.jar")
                        .err())
                .isEmpty();
        assertThat(dryRun(SERVER, "--into 1,l3", "spark-submit", "--jars", "berth-spark-1.jar", "app.jar")
                        .err())
                .isEmpty();
        Child.Result standalone =
                dryRun(SERVER, "--into l3 --spark", JAVA, "-Dspark.master=spark://host:7077", "-cp", "x", "App");
        assertThat(standalone.out()).contains("spark.executor.cores=16").doesNotContain("local-cluster");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            --into 1,x -- job                           | cannot divide a host into 'x': choose l3, numa, package
            --into 1,2 -- job {x}                       | '{x}': unknown placeholder {x}
            --into 1,2 --levels auto -- job             | --levels auto: with --into, choose none (not bound), part
            --into 1,2 --threads 2 -- job               | --threads and --into exclude each other
            --into 1,2 --smt maybe -- job               | --smt 'maybe': choose from on, off
            --into 1,2 --memory x -- job                | --memory: unknown memory mode 'x'
            --into 1,2 --jvm-flags zgc -- job           | --jvm-flags 'zgc': give none, numa, gc-threads, thp, an option
            --into 1,2 --heap 0 -- job                  | --heap 0: give the total heap of all processes
            --into 1,2 --spark -- job                   | --spark: give spark-submit or another script of Spark, or java
            --into 1,2 -- spark-submit --master yarn x  | master yarn: executors race on this host
            --into 1,2 -- spark-submit --conf spark.executor.cores=3 x | spark.executor.cores in the command: the race sets it
            --into 1,2 --levels x -- spark-submit a.jar | --level: unknown affinity level 'x'
            --memory bind -- job                        | --memory needs --into PARTS,...: for a race of shapes
            --resume /nowhere -- job                    | --resume and --dry-run exclude each other
            """)
    void aMistakeIsOneLine(String words, String message) {
        Child.Result result = CommandLines.run(("tune --dry-run " + words).split(" ", -1));
        assertThat(result.err()).startsWith("berth: " + message).hasLineCount(1);
        assertThat(result.exitCode()).isEqualTo(2);
    }
}
