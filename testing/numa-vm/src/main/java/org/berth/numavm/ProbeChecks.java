package org.berth.numavm;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;

/** {@code berth probe} as users start it, on every class of cores; what it measures means nothing under TCG. */
final class ProbeChecks {
    private static final List<String> DISK = List.of("DS", "DC", "DM", "DN");
    private static final List<String> NETWORK = List.of("NS", "NC", "NM", "NN");
    private static final Pattern CLASS =
            Pattern.compile("\"class\" ?: ?\"(\\w\\w)\",\\s*\"core\" ?: ?\"[^\"]*\",\\s*\"cpus\" ?: ?\"([^\"]*)\"");

    private ProbeChecks() {}

    /** On a machine that has cores of all classes. */
    static void run(Checks checks) {
        checks.check("berth probe writes to the disk from a core of each class", () -> {
            GuestDisk disk = GuestDisk.near(0);
            Path folder = Path.of("/tmp/probe");
            disk.mount(folder);
            int reference = disk.interruptCpus().first();
            require("probe-disk-", DISK, reference, "--volume", folder.toString());
            GuestDisk.unmount(folder);
        });
        checks.check("berth probe receives on a core of each class", () -> {
            int sender = Nodes.cpus(1).first();
            require("probe-net-", NETWORK, sender, "--loopback", "--nic", "cpu:" + sender);
        });
    }

    private static void require(String threads, List<String> classes, int reference, String... options)
            throws Exception {
        List<String> command = LiveChecks.java();
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "org.berth.cli.Main", "probe"));
        command.addAll(List.of(options));
        command.addAll(List.of("--size", "1", "--runs", "40", "--json"));
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
        Checks.same("exit code of " + command + " that said " + said.get(), 0, process.waitFor());
        Map<String, String> told = new TreeMap<>();
        Matcher found = CLASS.matcher(said.get());
        while (found.find()) {
            told.put(found.group(1), found.group(2));
        }
        Checks.same("classes that were probed", new TreeSet<>(classes), told.keySet());
        for (String kind : classes) {
            String cpus = told.getOrDefault(kind, "");
            Checks.same("masks of the thread " + threads + kind, Set.of(cpus), masks.getOrDefault(kind, Set.of()));
            int cpu = CpuSet.parseList(cpus).first();
            Checks.same("class of CPU " + cpu, kind.charAt(1), PolicyChecks.relation(cpu, reference));
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
