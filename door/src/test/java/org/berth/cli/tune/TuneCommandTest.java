package org.berth.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.cli.CliProcess;
import org.berth.cli.CommandLines;
import org.berth.machines.JsonValues;
import org.berth.oracle.Child;
import org.berth.oracle.KernelSetting;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Real races of commands that print how long they "took", so that the load of the machine does not decide. */
@Tag("one-jdk")
@Timeout(600)
final class TuneCommandTest {
    @RegisterExtension
    final KernelSetting balancing = new KernelSetting("/proc/sys/kernel/numa_balancing");

    @TempDir
    private Path folder;

    private Path results;

    @BeforeEach
    void needsTwoCpus() {
        Machine.requireCpus(2);
        results = folder.resolve("results");
    }

    private String[] words(List<String> options, String script) {
        List<String> words = new ArrayList<>(
                List.of("tune", "--metric", "took=took ([0-9.]+) s", "--results", results.toString(), "--json"));
        words.add(folder + "/answer.json");
        words.addAll(options);
        words.addAll(List.of("--", "sh", "-c", script));
        return words.toArray(new String[0]);
    }

    private Child.Result tune(List<String> options, String script) throws Exception {
        return CliProcess.run(folder, words(options, script));
    }

    private String json() throws Exception {
        return Files.readString(folder.resolve("answer.json"));
    }

    /** A program that is slower the more CPUs it gets, as nproc tells it. */
    @Test
    void fewerCpusAreFoundToHelpAndTheLineMakesItSo() throws Exception {
        Child.Result result = tune(
                List.of("--levels", "core", "--threads", "1", "--runs", "20", "--explain"),
                "echo {cpucount} took $(nproc).00 s");
        assertThat(result.exitCode()).as(result.err()).isZero();
        String use = result.out()
                .lines()
                .filter(line -> line.startsWith("Use: "))
                .findFirst()
                .orElseThrow();
        assertThat(use).isEqualTo("Use: berth run --level core --threads 1 -- sh -c 'echo 1 took $(nproc).00 s'");
        assertThat(result.out())
                .contains("In fresh runs: core-1: ")
                .contains("6 pairs")
                .contains("These pairs did not take part in the selection")
                .containsPattern("\n\ncore-1 is .* faster than none in took\\.\nUse: .*\n$");
        assertThat(result.err())
                .containsPattern(
                        "after round [0-9]+/[0-9]+: took / none: core-1 0\\.[0-9]+.*; at most about [0-9.]+ s left");
        assertThat(json())
                .contains("\"answer\" : \"helps\"")
                .contains("\"line\" : \"berth run --level core --threads 1");
        String page = Files.readString(results.resolve("report.html"));
        assertThat(page)
                .contains("core-1 is ", "faster than none in took.")
                .contains("Took / none, each pair of the race")
                .containsPattern("<line class=\"interval arm1\"")
                .contains("Use: berth run --level core --threads 1 -- sh -c");
        // The line as a user would paste it; the berth of this test is a script.
        String line = use.substring("Use: ".length()).replaceFirst("^berth", "bash " + folder.resolve("berth.sh"));
        Child.Result pasted = CommandLines.start(List.of("bash", "-c", line), Map.of());
        assertThat(pasted.out()).isEqualTo("1 took 1.00 s\n");
    }

    @Test
    void whatIsTheSameIsSaidNotToHelp() throws Exception {
        Child.Result result = tune(
                List.of("--levels", "none", "--runs", "40", "--arm", "a=A=1", "--arm", "b=A=4", "--arm", "c=A=2"),
                "echo took $((10 + ${A:-0} / 2)).000 s");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out())
                .containsPattern("b +[0-9].* 1.200 +2 +after heat 1\n")
                .containsPattern("a .* 1.000 .* winner: same within 2 %\n")
                .containsPattern(
                        "\n\nNothing to gain here: leave it unbound\\. A gain above [0-9.]+ % would have been seen\\.\n$")
                .as("variables are no binding")
                .doesNotContain("Leave it to the kernel")
                .doesNotContain("Use: ");
        assertThat(Files.readString(results.resolve("report.html")).split("class=\"whisker\"", -1))
                .as("a mark for each pair of three candidates")
                .hasSizeGreaterThan(3 * 2);
        assertThat(json())
                .contains("\"leaveToKernel\" : false")
                .contains("\"answer\" : \"nothing-helps\"")
                .doesNotContain("\"line\"");
        assertThat(Files.readAllLines(results.resolve("confirmation/trials.jsonl")))
                .filteredOn(line -> line.contains("\"kind\":\"trial\""))
                .as("ended as soon as it was decided, by fresh runs")
                .hasSize(12)
                .allMatch(line -> line.contains("\"outcome\":\"COMPLETED\""));
    }

    @Test
    void aBoundCandidateThatIsNoBetterLeavesItToTheKernel() throws Exception {
        Child.Result result =
                tune(List.of("--levels", "core", "--threads", "1", "--runs", "20", "--explain"), "echo took 10.000 s");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out())
                .contains("Nothing to gain here: leave it unbound. A gain above ")
                .contains(
                        "Leave it to the kernel: no bound arm is better than none in took by more than 2 %; the best of"
                                + " them, core-1: ");
        assertThat(json()).contains("\"leaveToKernel\" : true").contains("\"answer\" : \"nothing-helps\"");
    }

    @Test
    void aNumberThatNoRunPrintsGivesNoAnswer() throws Exception {
        Child.Result result = tune(List.of("--levels", "none", "--runs", "14", "--arm", "a=A=1"), "echo nothing");
        assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(1);
        assertThat(result.out())
                .contains(
                        "\n\nNOT DECIDED: no run printed took; compare --metric with the output of a run in " + results)
                .doesNotContain("in wall time");
        assertThat(json()).contains("\"answer\" : \"no-answer\"");
    }

    /** Every second run of the bound candidate is 6 % slower: worse by its mean, and not significantly. */
    @Test
    void theTableAgreesWithTheAnswerThatNothingHelps() throws Exception {
        Path count = folder.resolve("count");
        String script = "took=10.000; if [ $(nproc) = 1 ]; then echo x >>" + count + "; [ $(($(wc -l <" + count
                + ") % 2)) = 0 ] || took=10.600; fi; echo took $took s";
        Child.Result result = tune(List.of("--levels", "core", "--threads", "1", "--runs", "14"), script);
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(result.out())
                .containsPattern("core-1 .* only candidate: not better\n")
                .contains("Nothing to gain here: leave it unbound.")
                .doesNotContain("NOT DECIDED");
        assertThat(json()).contains("\"answer\" : \"nothing-helps\"", "\"kind\" : \"not_better\"");
    }

    /** A program that is faster under a setting of the kernel, which it reads. */
    @Test
    void aConditionOfTheKernelMayWin() throws Exception {
        Path setting = balancing.hold();
        assumeThat(setting).hasContent("0");
        Child.Result result = tune(
                List.of(
                        "--levels",
                        "core",
                        "--threads",
                        "1",
                        "--runs",
                        "40",
                        "--explain",
                        "--kernel",
                        "numa-balancing=1"),
                "echo took $((10 - 5 * $(cat " + setting + "))) s");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out())
                .contains("Use: echo 1 > " + setting + " && berth run --level none -- sh -c ")
                .contains("Leave it to the kernel: the winner binds nothing, and it won the race against all bound"
                        + " candidates.");
        assertThat(json()).contains("\"leaveToKernel\" : true").contains("\"answer\" : \"helps\"");
        assertThat(setting).hasContent("0");
    }

    /** A program that is faster with NUMA balancing, and slower on one CPU. */
    @Test
    void balanceOrBindRacesBesideTheLevels() throws Exception {
        Path setting = balancing.hold();
        assumeThat(setting).hasContent("0");
        Child.Result result = tune(
                List.of(
                        "--levels",
                        "none",
                        "--runs",
                        "40",
                        "--explain",
                        "--balance-or-bind",
                        "--bound",
                        "--level pu --threads 1"),
                "echo took $((10 - 5 * $(cat " + setting + ") + 3 * ($(nproc) == 1))) s");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.err()).contains("no-balance: same as none");
        assertThat(result.out())
                .contains("Use: echo 1 > " + setting + " && berth run --level none -- sh -c ")
                .contains("Leave it to the kernel: ");
        assertThat(json()).contains("\"name\" : \"bind+balance\"").contains("\"leaveToKernel\" : true");
        assertThat(setting).hasContent("0");
    }

    /** The winner has the larger ratio wherever it is written. */
    @Test
    void aMetricOfWhichMoreIsBetterHasRatiosInOneDirection() throws Exception {
        String[] words = {
            "tune",
            "--metric",
            "rate[op/s,higher]=rate ([0-9]+)",
            "--levels",
            "none",
            "--runs",
            "14",
            "--explain",
            "--arm",
            "a=A=20",
            "--results",
            results.toString(),
            "--json",
            folder + "/answer.json",
            "--",
            "sh",
            "-c",
            "echo rate ${A:-10}"
        };
        Child.Result result = CliProcess.run(folder, words);
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out())
                .contains("RATE / none")
                .contains("rate / none: of a candidate, divided by that of the unbound command; above 1 is better.")
                .contains("a: 100 % higher than none in rate, which is better");
        Map<String, Object> json = JsonValues.object(json());
        List<?> candidates = (List<?>) JsonValues.field(json, "candidates");
        assertThat(JsonValues.field((Map<?, ?>) JsonValues.field(json, "confirmation"), "ratio"))
                .isEqualTo(2.0);
        assertThat(JsonValues.field((Map<?, ?>) JsonValues.field(json, "metric"), "better"))
                .isEqualTo("higher");
        assertThat(candidates)
                .allSatisfy(one -> assertThat(((Map<?, ?>) one).get("ratio")).isIn(null, 2.0));
    }

    /** All CPUs but the one of the command are busy; the kernel's count of that is in the raw results. */
    @Test
    void otherWorkOnTheMachineIsReported() throws Exception {
        List<Child> others = new ArrayList<>();
        try {
            for (int cpu : Machine.requireCpus(2)) {
                others.add(Child.start("taskset", "-c", "" + cpu, "sh", "-c", "echo begun; while :; do :; done"));
            }
            for (Child other : others) {
                assertThat(other.readLine()).isEqualTo("begun");
            }
            Child.Result result =
                    tune(List.of("--levels", "none", "--runs", "14", "--arm", "a=A=1"), "sleep 0.2; echo took 1 s");
            assertThat(result.out()).contains("Other work took up to ").contains("it disturbs these numbers");
            Map<?, ?> work = (Map<?, ?>) JsonValues.field(JsonValues.object(json()), "otherWork");
            assertThat((Double) JsonValues.field(work, "max")).isGreaterThan(0.05);
        } finally {
            others.forEach(Child::close);
        }
    }

    @Test
    void aStoppedRaceTellsWhoLeadsAndThatThisIsNoAnswer() throws Exception {
        Path ran = folder.resolve("ran");
        // 4 runs are the warm-up, 8 the first two rounds; one in the third waits.
        String script = "echo x >>" + ran + "; [ $(wc -l <" + ran + ") != 14 ] || sleep 100; echo took ${A:-10} s";
        String[] words =
                words(List.of("--levels", "none", "--arm", "a=A=9", "--arm", "b=A=12", "--arm", "c=A=8"), script);
        try (CliProcess race = CliProcess.start(folder, words)) {
            race.awaitLines(ran, 14);
            race.signal("INT");
            Child.Result stopped = race.finish();
            assertThat(stopped.exitCode()).isEqualTo(1);
            assertThat(stopped.out())
                    .contains("NOT DECIDED: stopped before the end; so far c leads, with 0.800 times none's took")
                    .containsPattern("b .* 1.200 +2 +in the race\n")
                    .doesNotContain("Use: ");
            assertThat(stopped.err()).doesNotContain("internal error");
        }
        assertThat(json()).contains("\"answer\" : \"no-answer\"").contains("\"stopped\" : true");
        assertThat(Files.readString(results.resolve("heat-1/trials.jsonl"))).contains("\"outcome\":\"STOPPED\"");
    }

    @Test
    void whatFailsIsSaidAndGivesNoAnswer() throws Exception {
        Child.Result candidate =
                tune(List.of("--levels", "none", "--runs", "20", "--arm", "a=A=1"), "echo took 1 s; [ -z \"$A\" ]");
        assertThat(candidate.exitCode()).isEqualTo(1);
        assertThat(candidate.err()).contains("failed (exit code 1), see ");
        assertThat(candidate.out())
                .contains("failed in the warm-up")
                .contains("NOT DECIDED: the command failed with every candidate");
        results = folder.resolve("other");
        Child.Result small = tune(List.of("--levels", "none", "--budget", "0.001", "--arm", "a=A=1"), "echo took 1 s");
        assertThat(small.exitCode()).isEqualTo(1);
        assertThat(small.out())
                .contains("NOT DECIDED: a run takes ")
                .contains("at least 14 runs")
                .contains("--budget");
        Child.Result again = tune(List.of("--levels", "none", "--arm", "a=A=1"), "true");
        assertThat(again.exitCode()).isEqualTo(2);
        assertThat(again.err()).contains("it already holds results");
    }
}
