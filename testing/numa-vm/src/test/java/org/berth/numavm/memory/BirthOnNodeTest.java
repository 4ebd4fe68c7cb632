package org.berth.numavm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJvm;
import org.berth.numavm.Nodes;
import org.berth.numavm.NumaMaps;
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.SeccompFilter;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * JVMs that the agent binds before they start, compared with the same JVM under numactl: masks and pages as the kernel
 * shows them, all flags as the JVM decided them, its threads. */
@Tag(Guest.TAG)
@Tag("birth")
class BirthOnNodeTest {
    private static final List<String> COLLECTORS =
            List.of("UseSerialGC", "UseParallelGC", "UseG1GC", "UseZGC", Guest.OWN);

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
     * An address that the JVM chooses by chance, and a file in /tmp/hsperfdata_USER that a JVM does without when another one,
     * which clears up there at its start, holds the file at that moment (perfMemory_posix.cpp).
     */
    private static final Set<String> BY_CHANCE = Set.of("SharedBaseAddress", "PerfDisableSharedMem");

    /** The agent's own thread, the only one that a JVM under numactl does not have. */
    private static final String WATCH = "berth-watch";

    /** With MPOL_PREFERRED_MANY the kernel balances from Linux 6.10 on. */
    private static final boolean PREFER_BALANCE =
            Version.parse(System.getProperty("os.version")).compareTo(Version.parse("6.10")) >= 0;

    private final NodeSet nodes = Guest.topology().nodeSet();
    private final int node = nodes.last();
    private final CpuSet cpus = Guest.topology().numaNode(node).orElseThrow().cpuSet();
    private final String there = "cpus=" + cpus + ",nodes=" + node + ",strict,memory=";

    /**
     * A collector that knows nodes, and the JVM's own choice, also on one CPU. Thorough runs take each collector, with UseNUMA and
     * without.
     */
    static Stream<Arguments> births() {
        List<Arguments> births = new ArrayList<>();
        for (String collector : collectors()) {
            if (Guest.isThorough() || !collector.equals(Guest.OWN)) {
                births.add(Arguments.of(collector, true, false));
            }
            if (Guest.isThorough() || collector.equals(Guest.OWN)) {
                births.add(Arguments.of(collector, false, false));
            }
        }
        births.add(Arguments.of(Guest.OWN, false, true));
        return births.stream();
    }

    private static List<String> collectors() {
        if (Guest.topology().nodeSet().size() != 2) {
            return Guest.collectors("birth", List.of(Guest.OWN));
        }
        return Guest.collectors("birth", Guest.isThorough() ? COLLECTORS : List.of("UseG1GC", Guest.OWN));
    }

    /** JVMs side by side: numactl, -agentpath, JAVA_TOOL_OPTIONS; with the JVM's own choice also as 'berth run' starts one. */
    @ParameterizedTest(name = "collector {0}, UseNUMA: {1}, on one CPU: {2}")
    @MethodSource("births")
    void aJvmIsOnTheLastNodeAsUnderNumactl(String collector, boolean numa, boolean oneCpu) throws Exception {
        CpuSet on = oneCpu ? CpuSet.of(cpus.last()) : cpus;
        List<String> flags = new ArrayList<>(Guest.collectorOption(collector));
        if (numa) {
            flags.add("-XX:+UseNUMA");
        }
        GuestJvm plain = GuestJvm.with(flags);
        String agent = "-agentpath:" + Guest.library() + "=" + bind(on) + ",strict";
        GuestJvm.together(
                Stream.of(
                                plain.under("numactl", "--physcpubind=" + on, "--membind=" + node),
                                plain.option(agent),
                                plain.environment("JAVA_TOOL_OPTIONS", agent),
                                plain.first(agent).under(launcher(), "--agent", "yes", "--"))
                        .limit(collector.equals(Guest.OWN) ? 4 : 3)
                        .toList(),
                jvms -> {
                    for (GuestJvm.Running jvm : jvms) {
                        allThere(jvm, on);
                        assertThat(jvm.messages()).as("lines of the agent").isEqualTo(List.of());
                        same(jvms.get(0), jvm);
                    }
                });
    }

    private static String launcher() {
        return NativeLibrary.launcher().toString();
    }

    private String bind(CpuSet on) {
        return "cpus=" + on + ",nodes=" + node + ",memory=bind";
    }

    private void allThere(GuestJvm.Running jvm, CpuSet on) throws Exception {
        assertThat(jvm.processors()).as("CPUs that it sees").isEqualTo(on.size());
        assertThat(ProcStatus.settledMasks(jvm.pid())).as("masks").isEqualTo(Set.of(on.toString()));
        Map<Integer, Long> pages = NumaMaps.anonymous(jvm.pid());
        assertThat(pages.keySet())
                .as("nodes of its " + pages + " anonymous pages")
                .isEqualTo(Set.of(node));
        assertThat(pages.getOrDefault(node, 0L) > NumaMaps.pagesOf(GuestJvm.HEAP_BYTES))
                .as("only " + pages + " pages")
                .isTrue();
    }

    private static void same(GuestJvm.Running expected, GuestJvm.Running actual) throws IOException {
        assertThat(expected.flags().keySet().containsAll(ADAPTED))
                .as("flags are printed")
                .isTrue();
        Map<String, String> different = new TreeMap<>();
        expected.flags().forEach((flag, value) -> {
            String other = actual.flags().getOrDefault(flag, "absent");
            if (!BY_CHANCE.contains(flag) && !other.equals(value)) {
                different.put(flag, other + " and under numactl " + value);
            }
        });
        assertThat(different).as("flags that differ").isEqualTo(Map.of());
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

    @Test
    void bindPreferAndLocalLeaveAllPagesOnTheLastNodeAndInterleaveSpreads() throws Exception {
        GuestJvm plain = GuestJvm.with(List.of("-XX:+UseSerialGC"));
        GuestJvm.together(
                List.of(
                        plain.option("-agentpath:" + Guest.library() + "=" + there + "bind"),
                        plain.option("-agentpath:" + Guest.library() + "=" + there + "prefer"),
                        plain.option("-agentpath:" + Guest.library() + "=cpus=" + cpus + ",strict,memory=local"),
                        plain.option(
                                "-agentpath:" + Guest.library() + "=nodes=" + nodes + ",strict,memory=interleave")),
                jvms -> {
                    for (GuestJvm.Running jvm : jvms.subList(0, 3)) {
                        allThere(jvm, cpus);
                    }
                    spread(NumaMaps.anonymous(jvms.get(3).pid()));
                });
    }

    /**
     * The collector that uses by default what the kernel reports about nodes; thorough runs take those that do so when
     * asked, too.
     */
    private static List<GuestJvm> jvmsThatKnowNodes() {
        return (Guest.isThorough() ? Stream.of("UseZGC", "UseG1GC", "UseParallelGC") : Stream.of("UseZGC"))
                .map(collector -> GuestJvm.with(List.of("-XX:+" + collector, "-XX:+UseNUMA")))
                .toList();
    }

    /** Not where the JVM's own choice is all that was asked for. */
    static boolean collectorsKnowNodes() {
        return Guest.topology().nodeSet().size() == 2 && collectors().size() > 1;
    }

    /** Thorough runs take those that differ from these in a number alone. */
    static Stream<String> modes() {
        return Guest.isThorough() ? Stream.of("local", "prefer", "bind-balance") : Stream.of("local", "bind-balance");
    }

    static boolean kernelHasPreferBalance() {
        return PREFER_BALANCE;
    }

    /**
     * JDK 17 and 21 take these policies for "all nodes", and UseNUMA then spreads the heap over nodes where the JVM has no
     * CPU: Parallel and G1 when it is asked for, ZGC by default.
     */
    @ParameterizedTest(name = "memory={0}")
    @MethodSource("modes")
    @EnabledIf("collectorsKnowNodes")
    void withUseNumaTheHeapOfEachCollectorIsOnTheLastNode(String mode) throws Exception {
        String policy = switch (mode) {
            case "local" -> "default";
            case "prefer" -> "prefer:" + node;
            default -> "bind=balancing:" + node;
        };
        heapsAreThere(mode.equals("local") ? "memory=local" : "nodes=" + node + ",memory=" + mode, policy);
    }

    @Test
    @EnabledIf("kernelHasPreferBalance")
    void withUseNumaAndPreferBalanceTheHeapOfEachCollectorIsOnTheLastNode() throws Exception {
        heapsAreThere("nodes=" + node + ",memory=prefer-balance", "prefer (many)=balancing:" + node);
    }

    @Test
    @DisabledIf("kernelHasPreferBalance")
    void oneLineNamesTheKernelThatHasPreferBalanceAndTheJvmRuns() throws Exception {
        String agent = "-agentpath:" + Guest.library() + "=cpus=" + cpus + ",nodes=" + node + ",memory=prefer-balance";
        GuestJvm.together(List.of(GuestJvm.with(List.of("-XX:+UseSerialGC")).option(agent)), jvms -> {
            assertThat(jvms.get(0).messages()).singleElement().asString().contains("Linux 6.10");
        });
    }

    @Test
    @EnabledIf("collectorsKnowNodes")
    void withUseNumaAndWithoutTheAgentTheHeapOfEachCollectorIsOnTheLastNode() throws Exception {
        heapsAreThere(
                jvmsThatKnowNodes().stream().map(jvm -> jvm.under(launcher(), "--cpus", "" + cpus, "--")), "default");
    }

    private void heapsAreThere(String memory, String policy) throws Exception {
        String agent = "-agentpath:" + Guest.library() + "=cpus=" + cpus + ",strict," + memory;
        List<GuestJvm> jvms = jvmsThatKnowNodes();
        // The last one has its CPUs already, and must be started again for its memory alone.
        GuestJvm bound = jvms.get(0).option(agent).under("taskset", "-c", "" + cpus);
        heapsAreThere(Stream.concat(jvms.stream().map(jvm -> jvm.option(agent)), Stream.of(bound)), policy);
    }

    private void heapsAreThere(Stream<GuestJvm> commands, String policy) throws Exception {
        GuestJvm.together(commands.toList(), jvms -> {
            for (GuestJvm.Running jvm : jvms) {
                allThere(jvm, cpus);
                assertThat(jvm.messages()).as("lines of the agent").isEqualTo(List.of());
                for (ProcStatus thread : ProcStatus.threads(jvm.pid())) {
                    assertThat(NumaMaps.policies(jvm.pid(), thread.tid()))
                            .as("policy of " + thread.name())
                            .isEqualTo(Set.of(policy));
                }
            }
        });
    }

    /** Each node has its share of the heap, but for a tenth: small mappings all begin at the same node. */
    private void spread(Map<Integer, Long> pages) {
        long share = NumaMaps.pagesOf(GuestJvm.HEAP_BYTES) / nodes.size();
        for (int each : nodes.toArray()) {
            long count = pages.getOrDefault(each, 0L);
            assertThat(count > share * 9 / 10)
                    .as("node " + each + " has its share of " + share + " in " + pages)
                    .isTrue();
        }
    }

    @Test
    void whereSeccompForbidsMemoryPoliciesTheCpusAreBoundAndOneLineReportsIt() throws Exception {
        GuestJvm jvm = GuestJvm.with(List.of("-XX:+UseSerialGC"))
                .under(SeccompFilter.prefix(SeccompFilter.FAIL, "set_mempolicy").toArray(String[]::new))
                .option("-agentpath:" + Guest.library() + "=" + bind(cpus));
        GuestJvm.together(List.of(jvm), jvms -> {
            GuestJvm.Running running = jvms.get(0);
            assertThat(running.processors()).as("CPUs that it sees").isEqualTo(cpus.size());
            assertThat(ProcStatus.settledMasks(running.pid())).as("masks").isEqualTo(Set.of(cpus.toString()));
            assertThat(running.messages().size()).as("lines").isEqualTo(1);
            String line = running.messages().get(0);
            assertThat(line.contains("Operation not permitted") && line.endsWith("; only the CPUs are bound"))
                    .as(line)
                    .isTrue();
        });
    }

    @Test
    void aHeapLargerThanTheMemoryOfItsNodeIsReportedAndAnotherOneIsNot() throws Exception {
        GuestJvm plain = GuestJvm.withoutHeap(List.of("-XX:+UseSerialGC"))
                .option("-agentpath:" + Guest.library() + "=" + bind(cpus));
        GuestJvm.together(List.of(plain, plain.option("-Xmx1400m"), plain.option("-Xmx1792m")), this::toldWhenTooLarge);
    }

    private void toldWhenTooLarge(List<GuestJvm.Running> jvms) throws IOException {
        long memory = Nodes.memoryBytes(node);
        for (GuestJvm.Running jvm : jvms) {
            long heap = Long.parseLong(jvm.flags().get("MaxHeapSize"));
            String lines = String.join("\n", jvm.messages());
            String sizes =
                    "grow to " + (heap >> 20) + " MiB, and node " + node + " has only " + (memory >> 20) + " MiB";
            assertThat(!lines.isEmpty())
                    .as("that " + heap + " of " + memory + " bytes is told in: " + lines)
                    .isEqualTo(heap > memory);
            assertThat(lines.isEmpty() || (jvm.messages().size() == 1 && lines.contains(sizes)))
                    .as(lines)
                    .isTrue();
        }
    }
}
