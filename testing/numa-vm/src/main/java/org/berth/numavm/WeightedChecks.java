package org.berth.numavm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.oracle.ProcStatus;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** The kernel's own weighted interleaving (Linux 6.9) of all of a JVM's memory, and what is said where it does not exist. */
final class WeightedChecks {
    private static final Path WEIGHTS = Path.of("/sys/kernel/mm/mempolicy/weighted_interleave");

    /** A huge page counts as one page of the proportion, and a heap of the guest has few of them. */
    private static final List<Path> HUGE_PAGES = Stream.of("enabled", "shmem_enabled")
            .map(Path.of("/sys/kernel/mm/transparent_hugepage")::resolve)
            .toList();

    private static final double TOLERANCE = 0.01;
    private static final int HEAVY = 3;

    private WeightedChecks() {}

    static void run(Checks checks, Topology machine, Path library) {
        NodeSet nodes = machine.nodeSet();
        String agent = "-agentpath:" + library + "=nodes=" + nodes + ",memory=weighted";
        if (Files.isDirectory(WEIGHTS)) {
            checks.check("memory=weighted: the pages of each collector's JVM have the kernel's weights", () -> {
                Map<Path, String> before = new LinkedHashMap<>();
                try {
                    for (Path file : HUGE_PAGES) {
                        set(file, "never", before);
                    }
                    for (int node : nodes.toArray()) {
                        set(WEIGHTS.resolve("node" + node), node == nodes.first() ? "" + HEAVY : "1", before);
                    }
                    proportions(agent + ",strict", nodes);
                } finally {
                    for (Map.Entry<Path, String> file : before.entrySet()) {
                        Files.writeString(file.getKey(), file.getValue());
                    }
                }
            });
        } else {
            checks.check("memory=weighted: one line names the kernel that has it, and the JVM runs", () -> {
                GuestJvm jvm = GuestJvm.with(List.of("-XX:+UseSerialGC")).option(agent);
                GuestJvm.together(List.of(jvm), jvms -> {
                    Checks.same("lines", 1, jvms.get(0).messages().size());
                    String line = jvms.get(0).messages().get(0);
                    Checks.holds(line, line.contains("Linux 6.9"));
                });
            });
        }
    }

    private static void proportions(String agent, NodeSet nodes) throws Exception {
        for (String collector : HeapChecks.COLLECTORS) {
            GuestJvm jvm = GuestJvm.with(List.of("-XX:+" + collector)).option(agent);
            GuestJvm.together(List.of(jvm), jvms -> {
                long pid = jvms.get(0).pid();
                Checks.same("lines of the agent", List.of(), jvms.get(0).messages());
                for (ProcStatus thread : ProcStatus.threads(pid)) {
                    Checks.same(
                            "policy of " + thread.name(),
                            Set.of("weighted interleave:" + nodes),
                            NumaMaps.policies(pid, thread.tid()));
                }
                Map<Integer, Long> pages = NumaMaps.anonymous(pid);
                double all = pages.values().stream().mapToLong(Long::longValue).sum();
                Checks.holds("pages: " + pages, all >= NumaMaps.pagesOf(GuestJvm.HEAP_BYTES));
                for (int node : nodes.toArray()) {
                    double weight = node == nodes.first() ? HEAVY : 1;
                    double expected = weight / (HEAVY + nodes.size() - 1);
                    Checks.holds(
                            collector + " on node " + node + " of " + pages,
                            Math.abs(pages.getOrDefault(node, 0L) / all - expected) <= TOLERANCE);
                }
            });
        }
    }

    private static void set(Path file, String value, Map<Path, String> before) throws IOException {
        // "always [madvise] never"
        String now = Files.readString(file).strip().replaceFirst(".*\\[(.*)\\].*", "$1");
        before.put(file, now);
        Files.writeString(file, value);
    }
}
