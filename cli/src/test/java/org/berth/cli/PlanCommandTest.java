package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.cli.CommandLines.Result;
import org.berth.machines.Machines;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementPlan;
import org.berth.placement.ThreadRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanCommandTest {
    @TempDir
    private Path folder;

    private String machine(String name) throws IOException {
        return Files.writeString(folder.resolve("machine.xml"), Machines.xml(name))
                .toString();
    }

    @Test
    void printsTextThatReadsBack() throws IOException {
        Result result = CommandLines.run(
                "plan",
                "--level",
                "core",
                "--workers",
                "2",
                "--threads",
                "3",
                "--cpus",
                "0-2,8-10",
                "--memory",
                "bind",
                "--rule",
                "Executor task*",
                "--rule",
                "Gang ?",
                "--text",
                "--topology",
                machine("2x8x2"));
        assertThat(result.err()).isEmpty();
        PlacementPlan plan = PlacementPlan.parse(result.out());
        assertThat(plan.level()).isEqualTo(AffinityLevel.CORE);
        assertThat(plan.memory()).isEqualTo(MemoryMode.BIND);
        assertThat(plan.workers()).isEqualTo(2);
        assertThat(plan.slots()).hasSize(6);
        assertThat(plan.cpus().toString()).isEqualTo("0-2,8-10");
        assertThat(plan.rules()).extracting(ThreadRule::glob).containsExactly("Executor task*", "Gang ?");
    }

    @Test
    void printsJson() throws IOException {
        Result result = CommandLines.run("plan", "--level", "cpu", "--json", "--topology", machine("4x10x2"));
        Map<String, Object> json = JsonValues.object(result.out());
        assertThat(json)
                .containsEntry("format", "berth-plan")
                .containsEntry("level", "cpu")
                .containsEntry("workers", 4L)
                .containsEntry("oversubscribed", false);
        List<?> slots = (List<?>) JsonValues.field(json, "slots");
        assertThat(slots).hasSize(80);
        assertThat(((Map<?, ?>) slots.get(79)).get("worker")).isEqualTo(3L);
        assertThat((List<?>) JsonValues.field(json, "choices")).hasSize(2);
    }

    @Test
    void staysNearADevice() throws IOException {
        Result result = CommandLines.run(
                "plan", "--level", "core", "--near", "ib0", "--text", "--topology", machine("32em64t-2n8c+1mic"));
        assertThat(result.err()).isEmpty();
        PlacementPlan plan = PlacementPlan.parse(result.out());
        assertThat(plan.cpus().toString()).isEqualTo("8-15");
        assertThat(plan.slots()).hasSize(8);
        assertThat(plan.oversubscribed()).isFalse();
    }

    @Test
    void saysWhatItChoseAndShoutsWhenThreadsShare() throws IOException {
        String machine = machine("2arm-2c");
        assertThat(CommandLines.run("plan", "--level", "pu", "--topology", machine)
                        .out())
                .contains("Workers not given: 1, one for each package")
                .contains("Threads not given: 2, one for each PU");
        assertThat(CommandLines.run("plan", "--level", "pu", "--threads", "3", "--topology", machine)
                        .out())
                .contains("Oversubscribed!")
                .contains("Note: ");
    }

    /** A recorded machine needs neither hwloc nor our native library: both are taken off the class path. */
    @Test
    void worksWithoutAnythingNative() throws IOException {
        StringBuilder pure = new StringBuilder();
        for (String entry : System.getProperty("java.class.path").split(":", -1)) {
            boolean isNative =
                    entry.contains("lwjgl") || entry.contains("berth-native") || entry.contains("core/native");
            pure.append(isNative ? "" : entry + ":");
        }
        Result result = CommandLines.start(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        pure.toString(),
                        "org.berth.cli.Main",
                        "plan",
                        "--level",
                        "core",
                        "--topology",
                        machine("2x8x2")),
                Map.of());
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("core L#15 (PUs 15,31) of package L#1");
        assertThat(result.exitCode()).isZero();
    }
}
