package org.berth.numavm;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.berth.binding.NativeLibrary;
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.SeccompFilter;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/**
 * JVMs that the agent binds before they start, compared with the same JVM under numactl: masks and pages as the kernel
 * shows them, all flags as the JVM decided them, its threads.
 */
final class BirthChecks {
    /** What the JVM derives from the CPUs and nodes it sees; the other flags are compared too. */
    private static final List<String> ADAPTED = List.of(
            "UseSerialGC",
            "UseParallelGC",
            "UseG1GC",
            "UseZGC",
            "ParallelGCThreads",
            "ConcGCThreads",
            "CICompilerCount",
            "UseNUMA",
            "MaxHeapSize");

    /**
     * An address that the JVM chooses by chance, and a file in /tmp/hsperfdata_USER that a JVM does without when
     * another one, which clears up there at its start, holds the file at that moment (perfMemory_posix.cpp).
     */
    private static final Set<String> BY_CHANCE = Set.of("SharedBaseAddress", "PerfDisableSharedMem");

    /** The agent's own thread, the only one that a JVM under numactl does not have. */
    private static final String WATCH = "berth-watch";

    /** Tells whether the kernel balances with MPOL_PREFERRED_MANY, as it does from Linux 6.10 on. */
    private static final boolean PREFER_BALANCE =
            Version.parse(System.getProperty("os.version")).compareTo(Version.parse("6.10")) >= 0;

    private final Checks checks;
    private final Topology machine;
    private final Path library;
    private final int node;
    private final CpuSet cpus;

    private BirthChecks(Checks checks, Topology machine, Path library) {
        this.checks = checks;
        this.machine = machine;
        this.library = library;
        this.node = machine.nodeSet().last();
        this.cpus = machine.numaNode(node).orElseThrow().cpuSet();
    }

    /**
     * An empty name among the collectors is the JVM's own choice; with it alone, what collectors do with nodes is left
     * out.
     */
    static void run(Checks checks, Topology machine, Path library, List<String> collectors) {
        BirthChecks births = new BirthChecks(checks, machine, library);
        for (String collector : collectors) {
            births.asUnderNumactl(collector, births.cpus, "");
            births.asUnderNumactl(collector, births.cpus, "UseNUMA");
        }
        births.asUnderNumactl("", CpuSet.of(births.cpus.last()), "");
        births.memoryModes();
        if (collectors.size() > 1) {
            births.heapsOfCollectorsThatKnowNodes();
        }
        births.withoutMemoryPolicies();
        births.heapsThatDoNotFit();
    }

    /**
     * JVMs side by side: numactl, -agentpath, JAVA_TOOL_OPTIONS; with the JVM's own choice also as 'berth run' starts
     * one.
     */
    private void asUnderNumactl(String collector, CpuSet on, String numa) {
        String name = "a JVM with " + (collector.isEmpty() ? "its own choice of collector" : collector)
                + (numa.isEmpty() ? "" : " and UseNUMA") + " is on node " + node + " and CPUs " + on
                + " as under numactl";
        List<String> flags = new ArrayList<>();
        for (String flag : List.of(collector, numa)) {
            if (!flag.isEmpty()) {
                flags.add("-XX:+" + flag);
            }
        }
        GuestJvm plain = GuestJvm.with(flags);
        String agent = "-agentpath:" + library + "=" + bind(on) + ",strict";
        checks.check(
                name,
                () -> GuestJvm.together(
                        Stream.of(
                                        plain.under("numactl", "--physcpubind=" + on, "--membind=" + node),
                                        plain.option(agent),
                                        plain.environment("JAVA_TOOL_OPTIONS", agent),
                                        plain.first(agent).under(launcher(), "--agent", "yes", "--"))
                                .limit(collector.isEmpty() ? 4 : 3)
                                .toList(),
                        jvms -> {
                            for (GuestJvm.Running jvm : jvms) {
                                allThere(jvm, on);
                                Checks.same("lines of the agent", List.of(), jvm.messages());
                                same(jvms.get(0), jvm);
                            }
                        }));
    }

    private static String launcher() {
        return NativeLibrary.launcher().toString();
    }

    private String bind(CpuSet on) {
        return "cpus=" + on + ",nodes=" + node + ",memory=bind";
    }

    private void allThere(GuestJvm.Running jvm, CpuSet on) throws Exception {
        Checks.same("CPUs that it sees", on.size(), jvm.processors());
        Checks.same("masks", Set.of(on.toString()), ProcStatus.settledMasks(jvm.pid()));
        Map<Integer, Long> pages = NumaMaps.anonymous(jvm.pid());
        Checks.same("nodes of its " + pages + " anonymous pages", Set.of(node), pages.keySet());
        Checks.holds("only " + pages + " pages", pages.getOrDefault(node, 0L) > NumaMaps.pagesOf(GuestJvm.HEAP_BYTES));
    }

    private static void same(GuestJvm.Running expected, GuestJvm.Running actual) throws IOException {
        Checks.holds("flags are printed", expected.flags().keySet().containsAll(ADAPTED));
        Map<String, String> different = new TreeMap<>();
        expected.flags().forEach((flag, value) -> {
            String other = actual.flags().getOrDefault(flag, "absent");
            if (!BY_CHANCE.contains(flag) && !other.equals(value)) {
                different.put(flag, other + " and under numactl " + value);
            }
        });
        Checks.same("flags that differ", Map.of(), different);
        // A thread gives itself its name a moment after its birth.
        Await.until(
                "the same threads as " + threads(expected) + " in place of " + threads(actual),
                () -> threads(actual).equals(threads(expected)));
    }

    private static Map<String, Integer> threads(GuestJvm.Running jvm) {
        Map<String, Integer> names = new TreeMap<>();
        ProcStatus.threads(jvm.pid()).forEach(thread -> names.merge(thread.name(), 1, Integer::sum));
        names.remove(WATCH);
        return names;
    }

    private void memoryModes() {
        NodeSet nodes = machine.nodeSet();
        String there = "cpus=" + cpus + ",nodes=" + node + ",strict,memory=";
        checks.check(
                "memory modes: bind, prefer and local leave all pages on node " + node + ", interleave spreads", () -> {
                    GuestJvm plain = GuestJvm.with(List.of("-XX:+UseSerialGC"));
                    GuestJvm.together(
                            List.of(
                                    plain.option("-agentpath:" + library + "=" + there + "bind"),
                                    plain.option("-agentpath:" + library + "=" + there + "prefer"),
                                    plain.option("-agentpath:" + library + "=cpus=" + cpus + ",strict,memory=local"),
                                    plain.option(
                                            "-agentpath:" + library + "=nodes=" + nodes + ",strict,memory=interleave")),
                            jvms -> {
                                for (GuestJvm.Running jvm : jvms.subList(0, 3)) {
                                    allThere(jvm, cpus);
                                }
                                spread(NumaMaps.anonymous(jvms.get(3).pid()));
                            });
                });
    }

    /**
     * JDK 17 and 21 take these policies for "all nodes", and UseNUMA then spreads the heap over nodes where the JVM has
     * no CPU: Parallel and G1 when it is asked for, ZGC by default.
     */
    private void heapsOfCollectorsThatKnowNodes() {
        List<GuestJvm> jvms = Stream.of("UseZGC", "UseG1GC", "UseParallelGC")
                .map(collector -> GuestJvm.with(List.of("-XX:+" + collector, "-XX:+UseNUMA")))
                .toList();
        String there = "nodes=" + node + ",memory=";
        Map<String, String> policies = new TreeMap<>(Map.of(
                "memory=local",
                "default",
                there + "prefer",
                "prefer:" + node,
                there + "bind-balance",
                "bind=balancing:" + node));
        if (PREFER_BALANCE) {
            policies.put(there + "prefer-balance", "prefer (many)=balancing:" + node);
        } else {
            preferBalanceIsRefused(there + "prefer-balance");
        }
        policies.forEach((memory, policy) ->
                checks.check("with UseNUMA and " + memory + " the heap of each collector is on node " + node, () -> {
                    String agent = "-agentpath:" + library + "=cpus=" + cpus + ",strict," + memory;
                    // The last one has its CPUs already, and must be started again for its memory alone.
                    GuestJvm bound = jvms.get(0).option(agent).under("taskset", "-c", "" + cpus);
                    heapsAreThere(Stream.concat(jvms.stream().map(jvm -> jvm.option(agent)), Stream.of(bound)), policy);
                }));
        checks.check("with UseNUMA and without the agent the heap of each collector is on node " + node, () -> {
            heapsAreThere(jvms.stream().map(jvm -> jvm.under(launcher(), "--cpus", "" + cpus, "--")), "default");
        });
    }

    private void preferBalanceIsRefused(String memory) {
        checks.check("memory=prefer-balance: one line names the kernel that has it, and the JVM runs", () -> {
            String agent = "-agentpath:" + library + "=cpus=" + cpus + "," + memory;
            GuestJvm.together(List.of(GuestJvm.with(List.of("-XX:+UseSerialGC")).option(agent)), jvms -> {
                Checks.same("lines", 1, jvms.get(0).messages().size());
                String line = jvms.get(0).messages().get(0);
                Checks.holds(line, line.contains("Linux 6.10"));
            });
        });
    }

    private void heapsAreThere(Stream<GuestJvm> commands, String policy) throws Exception {
        GuestJvm.together(commands.toList(), jvms -> {
            for (GuestJvm.Running jvm : jvms) {
                allThere(jvm, cpus);
                Checks.same("lines of the agent", List.of(), jvm.messages());
                for (ProcStatus thread : ProcStatus.threads(jvm.pid())) {
                    Checks.same(
                            "policy of " + thread.name(), Set.of(policy), NumaMaps.policies(jvm.pid(), thread.tid()));
                }
            }
        });
    }

    /** Each node has its share of the heap, but for a tenth: small mappings all begin at the same node. */
    private void spread(Map<Integer, Long> pages) {
        long share = NumaMaps.pagesOf(GuestJvm.HEAP_BYTES) / machine.nodeSet().size();
        for (int each : machine.nodeSet().toArray()) {
            long count = pages.getOrDefault(each, 0L);
            Checks.holds("node " + each + " has its share of " + share + " in " + pages, count > share * 9 / 10);
        }
    }

    private void withoutMemoryPolicies() {
        checks.check("where seccomp forbids set_mempolicy, the CPUs are bound and one line reports it", () -> {
            GuestJvm jvm = GuestJvm.with(List.of("-XX:+UseSerialGC"))
                    .under(SeccompFilter.prefix(SeccompFilter.FAIL, "set_mempolicy")
                            .toArray(String[]::new))
                    .option("-agentpath:" + library + "=" + bind(cpus));
            GuestJvm.together(List.of(jvm), jvms -> {
                GuestJvm.Running running = jvms.get(0);
                Checks.same("CPUs that it sees", cpus.size(), running.processors());
                Checks.same("masks", Set.of(cpus.toString()), ProcStatus.settledMasks(running.pid()));
                Checks.same("lines", 1, running.messages().size());
                String line = running.messages().get(0);
                Checks.holds(
                        line, line.contains("Operation not permitted") && line.endsWith("; only the CPUs are bound"));
            });
        });
    }

    private void heapsThatDoNotFit() {
        checks.check("a heap larger than the memory of its node is told, another one is not", () -> {
            GuestJvm plain = GuestJvm.withoutHeap(List.of("-XX:+UseSerialGC"))
                    .option("-agentpath:" + library + "=" + bind(cpus));
            GuestJvm.together(
                    List.of(plain, plain.option("-Xmx1400m"), plain.option("-Xmx1792m")), this::toldWhenTooLarge);
        });
    }

    private void toldWhenTooLarge(List<GuestJvm.Running> jvms) throws IOException {
        long there = 1024
                * Long.parseLong(
                        Files.readAllLines(Path.of("/sys/devices/system/node/node" + node + "/meminfo")).stream()
                                .filter(line -> line.contains("MemTotal:"))
                                .findFirst()
                                .orElseThrow()
                                .replaceAll(".*MemTotal:| |kB", ""));
        for (GuestJvm.Running jvm : jvms) {
            long heap = Long.parseLong(jvm.flags().get("MaxHeapSize"));
            String lines = String.join("\n", jvm.messages());
            String sizes = "grow to " + (heap >> 20) + " MiB, and node " + node + " has only " + (there >> 20) + " MiB";
            Checks.same(
                    "that " + heap + " of " + there + " bytes is told in: " + lines, heap > there, !lines.isEmpty());
            Checks.holds(lines, lines.isEmpty() || (jvm.messages().size() == 1 && lines.contains(sizes)));
        }
    }
}
