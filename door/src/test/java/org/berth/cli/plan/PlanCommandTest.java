package org.berth.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.berth.cli.CommandLines;
import org.berth.machines.Goldens;
import org.berth.machines.JsonValues;
import org.berth.machines.MachineDevices;
import org.berth.machines.Machines;
import org.berth.oracle.Child.Result;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.berth.placement.ThreadRule;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanCommandTest {
    @TempDir
    private Path folder;

    private String machine(String name) throws IOException {
        return Files.writeString(folder.resolve("machine.xml"), Machines.xml(name))
                .toString();
    }

    /** Memory on a node that the CPUs are not near; an open end of the list reaches to the last node. */
    @ParameterizedTest
    @CsvSource({"prefer:1, 1", "bind:1-, 1", "interleave:0-1, 0-1", "bind, 0"})
    void cpusAndMemoryNeedNoLevel(String memory, String nodes) throws IOException {
        Result result = CommandLines.run(
                "plan", "--cpus", "0-3", "--memory", memory, "--text", "--topology", "pack:2 [numa] core:4 pu:1");
        assertThat(result.err()).isEmpty();
        PlacementPlan plan = PlacementPlan.parse(result.out());
        assertThat(plan.level()).isEqualTo(AffinityLevel.NONE);
        assertThat(plan.memory().word()).isEqualTo(memory.replaceFirst(":.*", ""));
        assertThat(plan.slots()).isNotEmpty().allSatisfy(slot -> {
            assertThat(slot.cpus()).hasToString("0-3");
            assertThat(slot.memoryNodes()).hasToString(nodes);
        });
    }

    @Test
    void thePictureHasTheNumberOfTheWorkerInEachCpu() throws IOException {
        Path picture = folder.resolve("plan.svg");
        Result result = CommandLines.run(
                "plan",
                "--level",
                "core",
                "--workers",
                "2",
                "--threads",
                "2",
                "--text",
                "--svg",
                picture.toString(),
                "--topology",
                "pack:2 [numa] core:4 pu:2");
        assertThat(result.err()).isEmpty();
        List<String> cells = Files.readString(picture)
                .lines()
                .filter(line -> line.contains("<text") && line.contains("P#"))
                .map(line -> line.replaceAll(".*<text[^>]*>|</text>.*", ""))
                .toList();
        List<String> expected = new ArrayList<>();
        for (Slot slot : PlacementPlan.parse(result.out()).slots()) {
            slot.cpus().stream().forEach(cpu -> expected.add("P#" + cpu + " · " + slot.worker()));
        }
        assertThat(expected).hasSize(8);
        assertThat(cells.stream().filter(cell -> cell.matches("P#\\d+ · \\d")))
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(Files.readString(picture))
                .contains("class=\"pu w0\"", "class=\"pu w1\"", "2 workers with 2 threads");
    }

    @Test
    void aPictureNeedsAFileAndSlots() {
        Result output = CommandLines.run("plan", "--level", "core", "--svg", "-");
        assertThat(output.exitCode()).isEqualTo(2);
        assertThat(output.err()).contains("--svg -: the plan itself goes to standard output; name a file");
        Result dynamic = CommandLines.run(
                "plan",
                "--policy",
                "interrupt",
                "--disk",
                "cpu:0",
                "--svg",
                folder.resolve("x.svg").toString(),
                "--topology",
                "pack:2 numa:1 core:4 pu:1");
        assertThat(dynamic.exitCode()).isEqualTo(2);
        assertThat(dynamic.err()).contains("--svg draws slots, and policy interrupt chooses a core");
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
                .containsEntry("level", "package")
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

    /** The machine of the OpenPOWER paper, its adapter near the second package. */
    private String paper() throws IOException {
        return Files.writeString(
                        folder.resolve("paper.xml"), MachineDevices.below(Machines.xml("2x10x8"), "Package", 1))
                .toString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            o2nts |                      | 20 | core | 80-83  | 80-159
            o2nts | --hardware-threads 8 | 10 | core | 80-87  | 80-159
            o2nts | --hardware-threads 1 | 80 | pu   | 80     | 80-159
            o2acs |                      | 80 | package | 80-159 | 80-159
            o2ocs |                      | 10 | core | 80-87  | 80-159
            o2ntc | --hardware-threads 2 | 80 | core | 80-81  | 0-159
            o2occ | --workers 4          | 20 | core | 80-87  | 0-159
            o2occ | --cpus 0-15          | 2  | core | 0-7    | 0-15
            """)
    void spreadsThreadsNearADevice(String policy, String more, int slots, String level, String first, String all)
            throws IOException {
        List<String> words =
                new ArrayList<>(List.of("plan", "--policy", policy, "--near", "ib0", "--json", "--topology", paper()));
        words.addAll(more == null ? List.of() : List.of(more.split(" ")));
        Result result = CommandLines.run(words.toArray(String[]::new));
        assertThat(result.err()).isEmpty();
        Map<String, Object> json = JsonValues.object(result.out());
        assertThat(json)
                .containsEntry("policy", policy)
                .containsEntry("device", "ib0")
                .containsEntry("level", level)
                .containsEntry("oversubscribed", false);
        List<?> found = (List<?>) JsonValues.field(json, "slots");
        assertThat(found).hasSize(slots);
        assertThat(((Map<?, ?>) found.get(0)).get("cpus")).isEqualTo(first);
        CpuSet used = CpuSet.empty();
        for (Object slot : found) {
            used = used.union(CpuSet.parseList(String.valueOf(((Map<?, ?>) slot).get("cpus"))));
        }
        assertThat(used.toString()).isEqualTo(all);
    }

    @Test
    void showsAPolicyAsATable() throws IOException {
        Result result = CommandLines.run(
                "plan", "--policy", "o2ntc", "--near", "ib0", "--threads", "22", "--topology", paper());
        Goldens.check("plan/o2ntc.txt", result.out());
        assertThat(CommandLines.run(
                                "plan", "--policy", "o2ocs", "--near", "ib0", "--threads", "11", "--topology", paper())
                        .out())
                .contains("Oversubscribed! Threads share slots that the policy gives to one thread.");
    }

    @Test
    void takesHardwareThreadsFromTheEnvironmentWhenNotSaid() throws IOException {
        Map<String, String> two = Map.of("BERTH_HARDWARE_THREADS", "2");
        String[] words = {"plan", "--policy", "o2nts", "--near", "ib0", "--text", "--topology", paper()};
        assertThat(PlacementPlan.parse(CommandLines.fork(List.of(), two, words).out())
                        .slots())
                .hasSize(40)
                .allMatch(slot -> slot.cpus().size() == 2);
        String[] said = Arrays.copyOf(words, words.length + 1);
        said[words.length] = "--hardware-threads=4";
        assertThat(PlacementPlan.parse(CommandLines.fork(List.of(), two, said).out())
                        .slots())
                .hasSize(20);
        words[2] = "o2ocs";
        assertThat(PlacementPlan.parse(CommandLines.fork(List.of(), two, words).out())
                        .slots())
                .hasSize(10);
        words[2] = "o2ntc";
        Result wrong = CommandLines.fork(List.of(), Map.of("BERTH_HARDWARE_THREADS", "all"), words);
        assertThat(wrong.err())
                .isEqualTo("berth: BERTH_HARDWARE_THREADS all: not a count; give a whole number, at least 1\n");
        assertThat(wrong.exitCode()).isEqualTo(2);
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
            boolean isNative = entry.contains("berth-native") || entry.contains("place/native");
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
