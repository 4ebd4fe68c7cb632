package org.berth.cli.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.cli.CommandLines;
import org.berth.machines.JsonValues;
import org.berth.oracle.Child.Result;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands on this machine's real interrupts; moving those of its disk is left to the guest. */
@Timeout(240)
class IrqEndToEndTest {
    @TempDir
    private Path folder;

    @Test
    void showsTheInterruptsThatTheKernelLists() throws IOException {
        Result result = CommandLines.run("irq", "--json");
        assertThat(result.exitCode()).as(result.err()).isZero();
        Map<Integer, String> kernel = interrupts();
        for (Object device : (List<?>) JsonValues.field(JsonValues.object(result.out()), "devices")) {
            for (Object interrupt : (List<?>) JsonValues.field((Map<?, ?>) device, "interrupts")) {
                Map<?, ?> fields = (Map<?, ?>) interrupt;
                int number = ((Number) JsonValues.field(fields, "number")).intValue();
                assertThat(kernel).containsKey(number);
                assertThat(kernel.get(number))
                        .endsWith(JsonValues.field(fields, "action").toString());
                String allowed = Files.readString(Path.of("/proc/irq/" + number + "/smp_affinity_list"));
                assertThat(JsonValues.field(fields, "allowed").equals(allowed.strip()) || othersMove())
                        .as("interrupt %d, allowed %s", number, allowed.strip())
                        .isTrue();
            }
        }
        Result text = CommandLines.run("irq");
        assertThat(text.exitCode()).isZero();
        Result picture = CommandLines.run("topo", "--interrupts");
        assertThat(picture.exitCode()).as(picture.err()).isZero();
        for (String name : disks()) {
            assertThat(text.out()).contains(name + " · disk");
            assertThat(picture.out()).contains("  " + name);
        }
    }

    @Test
    void aDryRunChangesNothing() throws IOException {
        Map<String, String> before = affinities();
        Result result = CommandLines.run(
                "irq", "--spread", "--dry-run", "--record", folder.resolve("r").toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("Note: ").doesNotContain("stays");
        assertThat(affinities().equals(before) || othersMove()).isTrue();
        assertThat(folder.resolve("r")).doesNotExist();
        Result restored = CommandLines.run(
                "irq", "--restore", "--record", folder.resolve("r").toString());
        Machine.requireRoot();
        assertThat(restored.exitCode()).as(restored.err()).isZero();
        assertThat(restored.out()).startsWith("No interrupt was moved since the last boot");
    }

    @Test
    void anotherUserIsToldToBeRoot() {
        // In a user namespace of its own a process of ours is nobody, and reads our files all the same.
        List<String> nobody = List.of("unshare", "--user");
        Tool.requireSuccess("unshare", "--user", "true");
        Result shown = CommandLines.fork(nobody, Map.of(), "irq");
        assertThat(shown.exitCode()).as(shown.err()).isZero();
        Result refused = CommandLines.fork(nobody, Map.of(), "irq", "--restore");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
                .isEqualTo(
                        "berth: cannot restore interrupts: EPERM (only root may write /proc/irq/*/smp_affinity_list);"
                                + " run it as root\n");
    }

    @Test
    void plansForThisMachinesDisk() throws IOException {
        assumeThat(disks()).as("a disk below this directory").isNotEmpty();
        Result result = CommandLines.run(
                "plan", "--policy", "interrupt", "--volume", folder.toString(), "--threads", "2", "--json");
        assumeThat(result.err()).as("where temporary files lie in memory").doesNotContain("leads to no device");
        assertThat(result.exitCode()).as(result.err()).isZero();
        Map<String, Object> json = JsonValues.object(result.out());
        assertThat(json).containsEntry("loadMeasured", true);
        assertThat((List<?>) JsonValues.field(json, "decisions")).hasSize(2);
    }

    /** Whether a daemon moves interrupts whenever it likes. */
    private static boolean othersMove() {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info().command().orElse("").endsWith("/irqbalance"));
    }

    private static List<String> disks() throws IOException {
        List<String> disks = new ArrayList<>();
        try (var entries = Files.list(Path.of("/sys/block"))) {
            for (Path entry : entries.toList()) {
                if (!entry.toRealPath().toString().contains("/virtual/")) {
                    disks.add(entry.getFileName().toString());
                }
            }
        }
        return disks;
    }

    private static Map<Integer, String> interrupts() throws IOException {
        Map<Integer, String> lines = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("/proc/interrupts"))) {
            Matcher number = Pattern.compile(" *(\\d+):.*").matcher(line);
            if (number.matches()) {
                lines.put(Integer.valueOf(number.group(1)), line.stripTrailing());
            }
        }
        return lines;
    }

    private static Map<String, String> affinities() throws IOException {
        Map<String, String> lists = new TreeMap<>();
        for (Integer number : interrupts().keySet()) {
            Path file = Path.of("/proc/irq/" + number + "/smp_affinity_list");
            if (Files.exists(file)) {
                lists.put(file.toString(), Files.readString(file));
            }
        }
        return lists;
    }
}
