package org.berth.numavm.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJava;
import org.berth.numavm.Nodes;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code berth probe} as users start it, on every class of cores; what it measures means nothing under TCG. */
@Tag(Guest.TAG)
@Tag("probe")
class ProbedClassesTest {
    private static final List<String> DISK = List.of("DS", "DC", "DM", "DN");
    private static final List<String> NETWORK = List.of("NS", "NC", "NM", "NN");
    private static final Pattern CLASS =
            Pattern.compile("\"class\" ?: ?\"(\\w\\w)\",\\s*\"core\" ?: ?\"[^\"]*\",\\s*\"cpus\" ?: ?\"([^\"]*)\"");

    @Test
    void berthProbeWritesToTheDiskFromACoreOfEachClass() throws Exception {
        GuestDisk disk = GuestDisk.near(0);
        Path folder = Path.of("/tmp/probe");
        disk.mount(folder);
        int reference = disk.interruptCpus().first();
        require("probe-disk-", DISK, reference, "--volume", folder.toString());
        GuestDisk.unmount(folder);
    }

    @Test
    void berthProbeReceivesOnACoreOfEachClass() throws Exception {
        int sender = Nodes.cpus(1).first();
        require("probe-net-", NETWORK, sender, "--loopback", "--nic", "cpu:" + sender);
    }

    private static void require(String threads, List<String> classes, int reference, String... options)
            throws Exception {
        List<String> words = new ArrayList<>(List.of("probe"));
        words.addAll(List.of(options));
        words.addAll(List.of("--size", "1", "--runs", "40", "--json"));
        List<String> command = GuestJava.berthCommand(words);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        FutureTask<String> said =
                new FutureTask<>(() -> new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        new Thread(said).start();
        Map<String, Set<String>> masks = new TreeMap<>();
        while (process.isAlive()) {
            for (String kind : classes) {
                look(process.pid(), threads + kind, masks.computeIfAbsent(kind, key -> new TreeSet<>()));
            }
            Thread.sleep(20);
        }
        assertThat(process.waitFor())
                .as("exit code of " + command + " that said " + said.get())
                .isEqualTo(0);
        Map<String, String> told = new TreeMap<>();
        Matcher found = CLASS.matcher(said.get());
        while (found.find()) {
            told.put(found.group(1), found.group(2));
        }
        assertThat(told.keySet()).as("classes that were probed").isEqualTo(new TreeSet<>(classes));
        for (String kind : classes) {
            String cpus = told.getOrDefault(kind, "");
            assertThat(masks.getOrDefault(kind, Set.of()))
                    .as("masks of the thread " + threads + kind)
                    .isEqualTo(Set.of(cpus));
            int cpu = CpuSet.parseList(cpus).first();
            assertThat(Nodes.relation(cpu, reference)).as("class of CPU " + cpu).isEqualTo(kind.charAt(1));
        }
    }

    /** What it has before it is bound, and gets back at the end, does not count. */
    private static void look(long pid, String thread, Set<String> masks) {
        try {
            masks.addAll(ProcStatus.masks(pid, thread::equals).values());
            masks.removeAll(ProcStatus.masks(ProcessHandle.current().pid(), name -> !name.startsWith("berth-"))
                    .values());
        } catch (UncheckedIOException ended) {
            return;
        }
    }
}
