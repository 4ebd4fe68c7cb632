package org.berth.numavm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.binding.MemoryPolicy;
import org.berth.binding.MemoryRange;
import org.berth.binding.internal.NativeBridge;
import org.berth.numavm.Guest;
import org.berth.numavm.NumaMaps;
import org.berth.placement.MemoryMode;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory outside the heap on chosen nodes: what the kernel counts, compared with what the binder reports. */
@SuppressWarnings("try") // a scope is there to be closed
@Tag(Guest.TAG)
@Tag("memory")
class BuffersOnNodesTest {
    private static final int BYTES = 8 << 20;
    private static final int PAGE = NumaMaps.PAGE_BYTES;
    private static final long PAGES = NumaMaps.pagesOf(BYTES);

    /** The kernel interleaves by huge pages where it can use them. */
    private static final long HUGE_PAGE_BYTES = 2 << 20;

    /** Memory that malloc has used already, at both ends of a buffer; at least one page each. */
    private static final long USED_BEFORE = 2 + NumaMaps.pagesOf(56 << 10);

    private final Topology machine = Guest.topology();
    private final Binder binder = Guest.binder();
    private final NodeSet nodes = machine.nodeSet();
    private final int last = nodes.last();

    static IntStream nodes() {
        return IntStream.of(Guest.topology().nodeSet().toArray());
    }

    @ParameterizedTest(name = "node {0}")
    @MethodSource("nodes")
    void aBufferAllocatedOnANodeHasAllPagesThere(int node) throws Exception {
        ByteBuffer buffer = touched(
                binder.allocate(BYTES, on(MemoryMode.BIND, NodeSet.of(node))).buffer());
        assertThat(NumaMaps.at(address(buffer))).as("pages").isEqualTo(Map.of(node, PAGES));
        assertThat(binder.rangeNodes(MemoryRange.of(buffer))).as("nodes told").isEqualTo(NodeSet.of(node));
    }

    @ParameterizedTest(name = "node {0}")
    @MethodSource("nodes")
    void aThreadBoundToANodeTouchesItsFirstPagesThere(int node) throws Exception {
        try (BoundScope bound =
                binder.bindThread(machine.numaNode(node).orElseThrow().cpuSet())) {
            ByteBuffer buffer =
                    touched(binder.allocate(BYTES, MemoryPolicy.local()).buffer());
            assertThat(NumaMaps.at(address(buffer))).as("pages").isEqualTo(Map.of(node, PAGES));
        }
    }

    @ParameterizedTest(name = "node {0}")
    @MethodSource("nodes")
    void newMemoryOfAThreadGoesToTheNodeOfItsPolicy(int node) {
        ByteBuffer buffer;
        try (BoundScope bound = binder.bindMemory(on(MemoryMode.PREFER, NodeSet.of(node)))) {
            buffer = ByteBuffer.allocateDirect(BYTES);
        }
        int[] told = binder.pageNodes(buffer);
        long there = Arrays.stream(told).filter(found -> found == node).count();
        // malloc may put the buffer over the end of memory that it had before, and that is not new.
        assertThat(there >= told.length - USED_BEFORE)
                .as(there + " of " + told.length + " pages are there")
                .isTrue();
    }

    @Test
    void anInterleavedBufferIsSpreadOverAllNodes() throws Exception {
        ByteBuffer buffer =
                touched(binder.allocate(BYTES, on(MemoryMode.INTERLEAVE, nodes)).buffer());
        Map<Integer, Long> pages = NumaMaps.at(address(buffer));
        assertThat(pages.size()).as("nodes").isEqualTo(nodes.size());
        pages.forEach((node, count) -> assertThat(
                        Math.abs(count - PAGES / nodes.size()) <= NumaMaps.pagesOf(HUGE_PAGE_BYTES))
                .as("node " + node + " has " + count + " of " + PAGES)
                .isTrue());
        assertThat(binder.rangeNodes(MemoryRange.of(buffer))).as("nodes told").isEqualTo(nodes);
    }

    @Test
    void pagesThatAreThereMoveWhenAskedToAndStayWhenNot() throws Exception {
        ByteBuffer buffer = touched(
                binder.allocate(BYTES, on(MemoryMode.BIND, NodeSet.of(0))).buffer());
        binder.bindRange(buffer, on(MemoryMode.BIND, NodeSet.of(last)), false);
        assertThat(NumaMaps.at(address(buffer))).as("pages that stay").isEqualTo(Map.of(0, PAGES));
        binder.bindRange(buffer, on(MemoryMode.BIND, NodeSet.of(last)), true);
        assertThat(NumaMaps.at(address(buffer))).as("pages that moved").isEqualTo(Map.of(last, PAGES));
        assertThat(buffer.get(PAGE * 7)).as("content").isEqualTo((byte) 1);
        assertThat(binder.rangePolicy(MemoryRange.of(buffer)))
                .as("policy")
                .isEqualTo(on(MemoryMode.BIND, NodeSet.of(last)));
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_22)
    void aMemorySegmentMovesToTheLastNode() throws Exception {
        Class<?> arenas = Class.forName("java.lang.foreign.Arena");
        Object arena = arenas.getMethod("ofAuto").invoke(null);
        Object segment = arenas.getMethod("allocate", long.class, long.class).invoke(arena, (long) BYTES, (long) PAGE);
        MemoryRange range = MemoryRange.ofSegment(segment);
        binder.bindRange(range, on(MemoryMode.BIND, NodeSet.of(last)), true);
        assertThat(binder.rangeNodes(range)).as("nodes told").isEqualTo(NodeSet.of(last));
    }

    @Test
    void theLastCpuOfABoundThreadIsTheOneItIsBoundTo() {
        int cpu = machine.cpuSet().last();
        try (BoundScope bound = binder.bindThread(CpuSet.of(cpu))) {
            assertThat(binder.lastCpu(binder.currentThreadId())).as("CPU").isEqualTo(cpu);
        }
    }

    private static MemoryPolicy on(MemoryMode mode, NodeSet nodes) {
        return new MemoryPolicy(mode, nodes);
    }

    private static ByteBuffer touched(ByteBuffer buffer) {
        for (int at = 0; at < buffer.capacity(); at += PAGE) {
            buffer.put(at, (byte) 1);
        }
        return buffer;
    }

    private static long address(ByteBuffer buffer) {
        return NativeBridge.directBufferAddress(buffer);
    }
}
