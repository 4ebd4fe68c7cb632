package org.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.cli.CliProcess;
import org.berth.oracle.Child;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real comparisons whose truth is known. Of equal work up to 5 in 100 comparisons find a difference, so that has four
 * attempts: chance breaks it once in 160,000. How often they go wrong is simulated ({@code VerdictTest}, {@code
 * StoppingRuleTest}).
 */
@Tag("long")
@Tag("release")
@Timeout(600)
@Tag("one-jdk")
final class SelfCheckTest {
    private static final int ATTEMPTS = 4;

    @TempDir
    private Path folder;

    private int comparisons;

    private Child.Result compare(String... options) throws Exception {
        comparisons++;
        List<String> words = new ArrayList<>(
                List.of("compare", "--levels", "none", "--results", folder + "/results-" + comparisons));
        words.addAll(List.of(options));
        // Where this may be asked for, other work does not decide how long a sleep takes; elsewhere nice goes on
        // without.
        List<String> before = List.of("nice", "-n", "-19");
        try (CliProcess cli = CliProcess.start(folder, before, Map.of(), words.toArray(new String[0]))) {
            return cli.finish();
        }
    }

    private int trials() throws Exception {
        Path file = folder.resolve("results-" + comparisons + "/trials.jsonl");
        return (int) Files.readAllLines(file).stream()
                .filter(line -> line.contains("\"kind\":\"trial\"") && line.contains("\"warmUp\":false"))
                .count();
    }

    @Test
    void equalWorkComesOutAsEqual() throws Exception {
        Child.Result result = compare("--self-check", "--runs", "6", "--", "sleep", "0.2");
        while (result.exitCode() != 0 && comparisons < ATTEMPTS) {
            assertThat(result.out()).contains("Self-check FAILED: equal work differed by ");
            result = compare("--self-check", "--runs", "6", "--", "sleep", "0.2");
        }
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(result.err())
                .contains("sleep: none, none-again; 6 runs of each")
                .contains("smallest detectable difference (80 % power)");
        assertThat(result.out())
                .contains("Self-check passed: equal work showed no significant difference")
                .containsPattern("none-again +6 ");
        assertThat(trials()).isEqualTo(12);
    }

    /** The witness that it can fail: work that takes longer every second time it is run in a round. */
    @Test
    void workThatIsNotEqualFailsIt() throws Exception {
        Path count = folder.resolve("count");
        // With this seed turns go a b, a b, b a, a b, b a, …; the double is the slow one.
        String script = "echo x >>" + count + "; case $(wc -l <" + count
                + ") in 2|4|5|8|9|12) echo t=11.00;; *) echo t=10.00; esac";
        Child.Result result = compare(
                "--self-check", "--seed", "3034", "--runs", "5", "--metric", "t=t=([0-9.]+)", "--", "sh", "-c", script);
        assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(1);
        assertThat(result.out())
                .containsPattern("none-again .* slower\n")
                .contains("Self-check FAILED: equal work differed by 10.0 %");
    }

    @Test
    void runsThatFailGiveNoAnswer() throws Exception {
        Child.Result result = compare("--self-check", "--warmup", "0", "--runs", "5", "--", "false");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out()).contains("Self-check without a result: 0 pairs completed");
    }

    /** 0.84 s compared with 0.80 s; a busy machine takes more rounds to tell. */
    @Test
    void aPlantedSlowDownOfFivePercentIsFound() throws Exception {
        Child.Result result = compare(
                "--arm",
                "slow=NAP=0.84",
                "--until-decided",
                "--runs",
                "60",
                "--",
                "sh",
                "-c",
                "exec sleep ${NAP:-0.8}");
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(result.out()).containsPattern("slow .* slower\n");
    }

    @Test
    void aDifferenceThatIsClearEndsAComparisonEarly() throws Exception {
        Child.Result result =
                compare("--until-decided", "--arm", "slow=NAP=0.3", "--", "sh", "-c", "exec sleep ${NAP:-0.1}");
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(result.out())
                .containsPattern("slow .* slower\n")
                .endsWith("Nothing to gain here: leave it unbound. Every other arm is worse.\n");
        assertThat(result.err()).containsPattern("every arm is decided after [0-9]+ rounds");
        assertThat(trials()).as("of 60").isLessThan(60).isGreaterThanOrEqualTo(12);
    }

    /** The first run of a round prints 10, the second one 20: no arm is better, and the quotients lie far apart. */
    @Test
    void whatIsNotDecidedGoesToItsLimit() throws Exception {
        Path count = folder.resolve("count");
        String script = "echo x >>" + count + "; echo t=$((20 - 10 * ($(wc -l <" + count + ") % 2)))";
        Child.Result result = compare(
                "--until-decided",
                "--runs",
                "8",
                "--metric",
                "t=t=([0-9]+)",
                "--arm",
                "same=A=1",
                "--",
                "sh",
                "-c",
                script);
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(result.err()).contains("reached the maximum of 8 rounds; 0 of 1 arm decided");
        assertThat(result.out()).contains("NOT DECIDED: same is ").contains(" than none in t; ");
        assertThat(trials()).isEqualTo(16);
    }
}
