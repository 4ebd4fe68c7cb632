package org.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.cli.CliProcess;
import org.berth.cli.CommandLines;
import org.berth.cli.UntilSeen;
import org.berth.oracle.Child;
import org.berth.oracle.KernelSetting;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Comparisons of conditions of the kernel; its files, as the command reads them, are the witness. */
final class CompareConditionTest extends ComparisonTest {
    @RegisterExtension
    final KernelSetting balancing = new KernelSetting("/proc/sys/kernel/numa_balancing");

    @Test
    void theKernelBalancesOnlyInItsOwnArm() throws Exception {
        Path setting = balancing.hold();
        assumeThat(setting).hasContent("0");
        Child.Result result = compare(
                "--levels",
                "none",
                "--runs",
                "1",
                "--numa-balancing",
                "--results",
                results.toString(),
                "--",
                "cat",
                setting.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(output("none")).isEqualTo("0");
        assertThat(output("balancing")).isEqualTo("1");
        assertThat(setting).hasContent("0");
        assertThat(Path.of("/run/berth-compare-numa_balancing")).doesNotExist();
    }

    /** Within one node, so that any machine with two cores can do it. */
    @Test
    void balanceOrBindRunsBothUnderBothConditions() throws Exception {
        Path setting = balancing.hold();
        String usual = Files.readString(setting);
        Child.Result result = compare(
                "--balance-or-bind",
                "--bound",
                "--level core --threads 1",
                "--runs",
                "1",
                "--results",
                results.toString(),
                "--",
                "sh",
                "-c",
                WHERE + "; cat " + setting + "; " + UntilSeen.script(12));
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(Files.readAllLines(results.resolve("timelines.jsonl")))
                .hasSize(4)
                .allSatisfy(line ->
                        assertThat(line).containsPattern("\"balancing\":\\[\\{\"seconds\":[0-9.]+,\"pteUpdates\":"));
        assertThat(Files.readString(results.resolve("report.html")))
                .contains("What NUMA balancing did")
                .containsPattern("bind\\+balance: in [0-9.]+ s [0-9][^a-z]* hint faults");
        assertThat(result.err())
                .contains("none, bind, balance, bind+balance; 1 run")
                .contains("the bound arms get");
        assertThat(output("none").lines().toList().get(1)).isEqualTo("0");
        assertThat(output("balance").lines().toList().get(1)).isEqualTo("1");
        assertThat(output("bind").lines().toList().get(1)).isEqualTo("0");
        assertThat(output("bind_balance").lines().toList().get(1)).isEqualTo("1");
        assertThat(output("balance").lines().findFirst())
                .isEqualTo(output("none").lines().findFirst());
        assertThat(output("bind_balance").lines().findFirst())
                .isEqualTo(output("bind").lines().findFirst())
                .isNotEqualTo(output("none").lines().findFirst());
        assertThat(result.out()).containsPattern("No difference shown between binding and the kernel: .* needs --runs");
        assertThat(setting).hasContent(usual.strip());
        assertThat(Path.of("/run/berth-compare-numa_balancing")).doesNotExist();
    }

    @Test
    void balanceOrBindHasArmsOfItsOwn() throws Exception {
        for (List<String> options : List.of(
                List.of("--balance-or-bind", "--levels", "none,numa"),
                List.of("--balance-or-bind", "--kernel", "thp=never"),
                List.of("--bound", "--domain numa --no-lease"),
                List.of("--balance-or-bind", "--bound", "--level moon"))) {
            List<String> words = new ArrayList<>(options);
            words.addAll(List.of("--", "true"));
            Child.Result result = CommandLines.run(words(words.toArray(new String[0])));
            assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
        }
    }

    @Test
    void eachConditionIsAnArm() throws Exception {
        Path setting = balancing.hold();
        assumeThat(setting).hasContent("0");
        Child.Result result = compare(
                "--levels",
                "none",
                "--runs",
                "1",
                "--kernel",
                "numa-balancing=1,numa-balancing=0",
                "--arm",
                "bound=--level core --threads 1 --kernel numa-balancing=1",
                "--results",
                results.toString(),
                "--",
                "cat",
                setting.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("Not run: numa-balancing=0: " + setting + " is 0 already, the same as none.");
        assertThat(output("none")).isEqualTo("0");
        assertThat(output("numa-balancing_1")).isEqualTo("1");
        assertThat(output("bound")).isEqualTo("1");
        assertThat(setting).hasContent("0");
        assertThat(Files.readString(results.resolve("trials.jsonl")))
                .contains("\"arm\":\"numa-balancing=1\"")
                .contains("\"kernelSetting\":\"" + setting + "=1\"");
    }

    /** Any comparison that starts puts it back: those of other tests must not see the note in /run. */
    @Test
    void theNextStartPutsBackWhatAKilledComparisonLeft() throws Exception {
        Path setting = balancing.hold();
        assumeThat(setting).hasContent("0");
        Path notes = Files.createDirectory(folder.resolve("notes"));
        List<String> apart =
                List.of("unshare", "--mount", "sh", "-c", "mount --bind '" + notes + "' /run && exec \"$@\"", "sh");
        Tool.requireSuccess(join(apart.toArray(new String[0]), List.of("true"), new String[0]));
        Path switched = folder.resolve("switched");
        Path go = folder.resolve("go");
        String script = "[ $(cat " + setting + ") = 0 ] || { echo x >>" + switched + "; until [ -e " + go
                + " ]; do sleep 0.1; done; }";
        String[] options = {"compare", "--levels", "none", "--runs", "1", "--kernel", "numa-balancing=1"};
        String[] work = {"--", "sh", "-c", script};
        try (CliProcess killed = CliProcess.start(
                folder, apart, Map.of(), join(options, List.of("--results", results.toString()), work))) {
            killed.awaitLines(switched, 1);
            assertThat(setting).hasContent("1");
            killed.signal("KILL");
            killed.finish();
        }
        assertThat(setting).hasContent("1");
        Files.createFile(go);
        String next = folder.resolve("next").toString();
        Child.Result result;
        try (CliProcess second =
                CliProcess.start(folder, apart, Map.of(), join(options, List.of("--results", next), work))) {
            result = second.finish();
        }
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.err())
                .contains("berth: " + setting + " is 0 again; an experiment that was killed had left another value");
        assertThat(setting).hasContent("0");
    }

    @Test
    void aConditionThatThisKernelDoesNotHaveIsRefused() throws Exception {
        Path setting = Path.of("/sys/kernel/debug/sched/llc_balancing/enabled");
        assumeThat(setting).doesNotExist();
        Child.Result result = compare("--kernel", "cache-aware=on+llc-tolerance=100", "--", "true");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .isEqualTo("berth: --kernel cache-aware=on+llc-tolerance=100: this kernel has no " + setting + "\n");
    }

    @Test
    void anUnknownConditionIsAUsageError() throws Exception {
        for (String wrong : List.of("numa=1", "numa-balancing=9", "llc-tolerance=101", "thp", "thp=never+thp=always")) {
            Child.Result result = CommandLines.run(words("--kernel", wrong, "--", "true"));
            assertThat(result.exitCode()).as(wrong).isEqualTo(2);
            assertThat(result.err()).contains("--kernel '" + wrong.split("\\+", -1)[0]);
        }
    }
}
