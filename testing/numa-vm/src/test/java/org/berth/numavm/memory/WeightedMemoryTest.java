package org.berth.numavm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJvm;
import org.berth.numavm.NumaMaps;
import org.berth.oracle.ProcStatus;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.EnabledIf;

/** The kernel's own weighted interleaving (Linux 6.9) of all of a JVM's memory, and what is said where it does not exist. */
@Tag(Guest.TAG)
@Tag("heap")
class WeightedMemoryTest {
    private static final Path WEIGHTS = Path.of("/sys/kernel/mm/mempolicy/weighted_interleave");

    /** A huge page counts as one page of the proportion, and a heap of the guest has few of them. */
    private static final List<Path> HUGE_PAGES = Stream.of("enabled", "shmem_enabled")
            .map(Path.of("/sys/kernel/mm/transparent_hugepage")::resolve)
            .toList();

    private static final double TOLERANCE = 0.01;
    private static final int HEAVY = 3;

    private final NodeSet nodes = Guest.topology().nodeSet();
    private final String agent = "-agentpath:" + Guest.library() + "=nodes=" + nodes + ",memory=weighted";

    static boolean kernelHasWeights() {
        return Files.isDirectory(WEIGHTS);
    }

    @Test
    @EnabledIf("kernelHasWeights")
    void thePagesOfEachCollectorsJvmHaveTheKernelsWeights() throws Exception {
        Map<Path, String> before = new LinkedHashMap<>();
        try {
            for (Path file : HUGE_PAGES) {
                set(file, "never", before);
            }
            for (int node : nodes.toArray()) {
                set(WEIGHTS.resolve("node" + node), node == nodes.first() ? "" + HEAVY : "1", before);
            }
            proportions(agent + ",strict");
        } finally {
            for (Map.Entry<Path, String> file : before.entrySet()) {
                Files.writeString(file.getKey(), file.getValue());
            }
        }
    }

    @Test
    @DisabledIf("kernelHasWeights")
    void oneLineNamesTheKernelThatHasWeightsAndTheJvmRuns() throws Exception {
        GuestJvm jvm = GuestJvm.with(List.of("-XX:+UseSerialGC")).option(agent);
        GuestJvm.together(List.of(jvm), jvms -> {
            assertThat(jvms.get(0).messages().size()).as("lines").isEqualTo(1);
            String line = jvms.get(0).messages().get(0);
            assertThat(line.contains("Linux 6.9")).as(line).isTrue();
        });
    }

    private void proportions(String agent) throws Exception {
        for (String collector : HeapOnNodesTest.COLLECTORS) {
            GuestJvm jvm = GuestJvm.with(List.of("-XX:+" + collector)).option(agent);
            GuestJvm.together(List.of(jvm), jvms -> {
                long pid = jvms.get(0).pid();
                assertThat(jvms.get(0).messages()).as("lines of the agent").isEqualTo(List.of());
                for (ProcStatus thread : ProcStatus.threads(pid)) {
                    assertThat(NumaMaps.policies(pid, thread.tid()))
                            .as("policy of " + thread.name())
                            .isEqualTo(Set.of("weighted interleave:" + nodes));
                }
                Map<Integer, Long> pages = NumaMaps.anonymous(pid);
                double all = pages.values().stream().mapToLong(Long::longValue).sum();
                assertThat(all >= NumaMaps.pagesOf(GuestJvm.HEAP_BYTES))
                        .as("pages: " + pages)
                        .isTrue();
                for (int node : nodes.toArray()) {
                    double weight = node == nodes.first() ? HEAVY : 1;
                    double expected = weight / (HEAVY + nodes.size() - 1);
                    assertThat(Math.abs(pages.getOrDefault(node, 0L) / all - expected) <= TOLERANCE)
                            .as(collector + " on node " + node + " of " + pages)
                            .isTrue();
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
