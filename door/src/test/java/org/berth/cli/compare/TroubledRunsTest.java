package org.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.cli.CliProcess;
import org.berth.oracle.Child;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Test;

/** Comparisons that cannot go on, or whose answer would be one to another question. */
final class TroubledRunsTest extends ComparisonTest {
    private static final List<String> TWO_ARMS = List.of("--levels", "none", "--arm", "a=A=1");

    private Child.Result compareTwo(List<String> options, String script) throws Exception {
        String[] work = {"--results", results.toString(), "--", "sh", "-c", script};
        return CliProcess.run(folder, join(words(TWO_ARMS.toArray(new String[0])), options, work));
    }

    /** From round 3 on the kernel refuses to let files grow, as on a full disk. */
    @Test
    void resultsThatCannotBeWrittenEndTheComparisonWithTheTableSoFar() throws Exception {
        Tool.require("prlimit");
        String limit = "[ $BERTH_ROUND != 3 ] || prlimit --pid $PPID --fsize=1000:";
        Child.Result result = compareTwo(List.of("--runs", "5", "--prepare", limit), "true");
        assertThat(result.exitCode()).isEqualTo(1);
        String last = result.err().lines().reduce((first, second) -> second).orElseThrow();
        assertThat(last)
                .startsWith("berth: cannot write " + results.resolve("trials.jsonl") + ": File too large; ")
                .endsWith("--resume " + results);
        assertThat(result.err()).doesNotContain("internal error").doesNotContain("round 4/5");
        // The run that could not be written counts here: it is that of the arm that came first in round 3.
        assertThat(result.out())
                .contains("Stopped before the end")
                .containsPattern("\n(none +3 .*\na +2|none +2 .*\na +3) ");
    }

    @Test
    void aRaceEndsLikewise() throws Exception {
        Tool.require("prlimit");
        Path runs = folder.resolve("runs");
        String limit = "echo x >>" + runs + "; [ $(wc -l <" + runs + ") -lt 6 ] || prlimit --pid $PPID --fsize=1000:";
        Child.Result result = CliProcess.run(
                folder,
                "tune",
                "--levels",
                "none",
                "--runs",
                "14",
                "--arm",
                "a=A=1",
                "--prepare",
                limit,
                "--results",
                results.toString(),
                "--",
                "true");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .containsPattern("berth: cannot write " + results + "/[a-z0-9-]*/trials.jsonl: File too large; ")
                .doesNotContain("internal error");
        assertThat(result.out()).contains("CANDIDATE", "NOT DECIDED: stopped before the end");
        assertThat(Files.readAllLines(runs)).hasSize(6);
    }

    @Test
    void aNumberThatNoRunPrintsIsNamedInsteadOfAnAnswerAboutTheWallTime() throws Exception {
        Child.Result result = compareTwo(
                List.of("--runs", "5", "--metric", "there=there=([0-9.]+)", "--metric", "p99[ms]=p99 ([0-9.]+)"),
                "echo there=1.5");
        assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
        String last = result.out().lines().reduce((first, second) -> second).orElseThrow();
        assertThat(last).startsWith("NOT DECIDED: no run printed p99; compare --metric with the");
        Path log = Path.of(last.replaceAll(".* ", ""));
        assertThat(log).hasContent("there=1.5");
    }

    @Test
    void whenEveryWarmUpFailsNoOtherRunBegins() throws Exception {
        Path seen = folder.resolve("seen");
        Child.Result result = compareTwo(List.of("--runs", "5"), "echo run >>" + seen + "; echo why; exit 3");
        assertThat(result.exitCode()).isEqualTo(1);
        String last = result.err().lines().reduce((first, second) -> second).orElseThrow();
        assertThat(last)
                .startsWith("berth: every warm-up run failed: that of arm ")
                .contains(" ended with exit code 3, see ")
                .endsWith("; correct the command, and start again with another --results");
        assertThat(Path.of(last.replaceAll(".*, see (.*?);.*", "$1"))).hasContent("why");
        assertThat(Files.readAllLines(seen)).hasSize(2);
    }

    @Test
    void anArmThatWorksInTheWarmUpGoesOn() throws Exception {
        Child.Result result = compareTwo(List.of("--runs", "1"), "[ -n \"$A\" ]");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("round 1/1", "failed (exit code 1)").doesNotContain("every warm-up");
    }

    /** The terminal sends a ^C to all processes of its group. */
    @Test
    void aCleanupAfterAGoodRunIsNotEndedByAnInterrupt() throws Exception {
        Tool.require("setsid");
        Path seen = folder.resolve("seen");
        String cleanup = "echo begun >>" + seen + "; sleep 2; echo cleaned >>" + seen;
        String[] work = {"--runs", "5", "--cleanup", cleanup, "--results", results.toString(), "--", "true"};
        String[] words = join(words(TWO_ARMS.toArray(new String[0])), List.of(), work);
        try (CliProcess first = CliProcess.start(folder, List.of("setsid"), Map.of(), words)) {
            first.awaitLines(seen, 1);
            Child.run("kill", "-INT", "--", "-" + first.pid());
            Child.Result stopped = first.finish();
            assertThat(stopped.exitCode()).isEqualTo(1);
            assertThat(stopped.err())
                    .contains("berth: stops when the command of --cleanup has ended")
                    .doesNotContain("note: the cleanup command");
            assertThat(stopped.out()).contains("Stopped before the end");
        }
        assertThat(seen).hasContent("begun\ncleaned");
    }
}
