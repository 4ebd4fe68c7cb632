package org.berth.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.berth.cli.CommandLines;
import org.berth.machines.Goldens;
import org.berth.machines.JsonValues;
import org.berth.machines.Machines;
import org.berth.oracle.Child.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code plan --policy interrupt} for machines of the literature; the golden files were checked by hand. */
class DynamicPlanTest {
    @TempDir
    private Path folder;

    /** Two packages with 8 cores of two hardware threads each: CPUs 1 and 17 are one core. */
    @ParameterizedTest
    @CsvSource({
        "idle, interrupt, cpu:1, cpu:9, ''",
        "disk-busy, interrupt, cpu:1, cpu:9, '1'",
        "package-busy, interrupt, cpu:1, cpu:9, '0-7'",
        "all-busy, interrupt, cpu:1, cpu:9, '0-31'",
        "same-core, interrupt, cpu:1, cpu:17, ''",
        "queues, interrupt, cpu:0-31, cpu:0-31, '0-3'",
        "node, node, cpu:9, cpu:1, '0-31'",
    })
    void plansAreThoseThatWereCheckedByHand(String name, String policy, String disk, String nic, String busy)
            throws Exception {
        Result result = run("plan", "--policy", policy, "--disk", disk, "--nic", nic, "--busy", busy, "--threads", "6");
        assertThat(result.exitCode()).as(result.err()).isZero();
        Goldens.check("dynamic/" + name + ".txt", result.out());
    }

    @Test
    void jsonSaysTheSame() throws Exception {
        Result result = run(
                "plan",
                "--policy",
                "interrupt",
                "--disk",
                "cpu:1",
                "--nic",
                "cpu:9",
                "--busy",
                "1",
                "--json",
                "--cpus",
                "0-3,9,17");
        assertThat(result.exitCode()).as(result.err()).isZero();
        Map<String, Object> json = JsonValues.object(result.out());
        assertThat(json)
                .containsEntry("format", "berth-dynamic-plan")
                .containsEntry("diskInterrupts", "1")
                .containsEntry("loadMeasured", false);
        assertThat(((List<?>) JsonValues.field(json, "cores"))
                        .stream()
                                .map(core -> JsonValues.field((Map<?, ?>) core, "cpus") + " "
                                        + JsonValues.field((Map<?, ?>) core, "classes")))
                .containsExactly("0 [DC, NN]", "1,17 [DS, NN]", "2 [DC, NN]", "3 [DC, NN]", "9 [DN, NS]");
        assertThat(((List<?>) JsonValues.field(json, "decisions"))
                        .stream().map(decision -> JsonValues.field((Map<?, ?>) decision, "cpus")))
                .containsExactly("0", "2", "3", "0-3,17");
    }

    private Result run(String... words) throws Exception {
        Path file = Files.writeString(folder.resolve("machine.xml"), Machines.xml("2x8x2"));
        String[] all = Arrays.copyOf(words, words.length + 2);
        all[words.length] = "--topology";
        all[words.length + 1] = file.toString();
        return CommandLines.run(all);
    }
}
