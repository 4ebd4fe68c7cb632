package org.berth.numavm;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** JVMs that the agent binds before they are born: masks and pages as the kernel shows them. */
final class BirthChecks {
    private static final List<String> COLLECTORS = List.of("UseSerialGC", "UseParallelGC", "UseG1GC", "UseZGC");

    private BirthChecks() {}

    static void run(Checks checks, Topology machine, Path agent) {
        int node = machine.nodeSet().last();
        CpuSet cpus = machine.numaNode(node).orElseThrow().cpuSet();
        for (String collector : COLLECTORS) {
            checks.check("a JVM with " + collector + " bound to node " + node + " from birth is all there", () -> {
                Process process = start(agent, cpus, node, collector);
                try (BufferedReader out = process.inputReader()) {
                    String ready = out.readLine();
                    Checks.same("first line", "CPUs " + cpus.size(), ready);
                    Checks.same("masks", Set.of(cpus.toString()), masks(process.pid()));
                    Map<Integer, Long> pages = NumaMaps.anonymous(process.pid());
                    Checks.same("nodes of its " + pages + " anonymous pages", Set.of(node), pages.keySet());
                    Checks.holds("only " + pages + " pages", pages.getOrDefault(node, 0L) > (64 << 20) / 4096);
                } finally {
                    process.destroyForcibly().waitFor();
                }
            });
        }
    }

    private static Process start(Path agent, CpuSet cpus, int node, String collector) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-agentpath:" + agent + "=cpus=" + cpus + ",nodes=" + node + ",memory=bind,strict");
        command.addAll(
                List.of("-XX:+" + collector, "-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=1"));
        if (Runtime.version().feature() >= 25) {
            // Under TCG the parallel relocation of the archive spins for seconds.
            command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTCacheParallelRelocation"));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Waiting.class.getName()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static Set<String> masks(long pid) throws IOException {
        Set<String> masks = new TreeSet<>();
        try (var tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks.toList()) {
                for (String line : Files.readAllLines(task.resolve("status"))) {
                    if (line.startsWith("Cpus_allowed_list:")) {
                        masks.add(line.substring(line.indexOf(':') + 1).strip());
                    }
                }
            }
        }
        return masks;
    }

    /** Says how many CPUs it sees, and waits to be looked at. */
    static final class Waiting {
        private Waiting() {}

        public static void main(String[] arguments) throws InterruptedException {
            System.out.println("CPUs " + Runtime.getRuntime().availableProcessors());
            Thread.sleep(600_000);
        }
    }
}
