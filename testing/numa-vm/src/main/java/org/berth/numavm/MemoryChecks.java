package org.berth.numavm;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.binding.MemoryPolicy;
import org.berth.binding.MemoryRange;
import org.berth.binding.internal.NativeBridge;
import org.berth.placement.MemoryMode;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** Memory outside the heap on chosen nodes: what the kernel counts, compared with what the binder reports. */
@SuppressWarnings("try") // a scope is there to be closed
final class MemoryChecks {
    private static final int BYTES = 8 << 20;
    private static final int PAGE = NumaMaps.PAGE_BYTES;
    private static final long PAGES = NumaMaps.pagesOf(BYTES);

    /** The kernel interleaves by huge pages where it can use them. */
    private static final long HUGE_PAGE_BYTES = 2 << 20;

    /** Memory that malloc has used already, at both ends of a buffer; at least one page each. */
    private static final long USED_BEFORE = 2 + NumaMaps.pagesOf(56 << 10);

    private MemoryChecks() {}

    static void run(Checks checks, Topology machine, Binder binder) {
        NodeSet nodes = machine.nodeSet();
        int last = nodes.last();
        for (int node : nodes.toArray()) {
            checks.check("a buffer allocated on node " + node + " has all pages there", () -> {
                ByteBuffer buffer = touched(binder.allocate(BYTES, on(MemoryMode.BIND, NodeSet.of(node)))
                        .buffer());
                Checks.same("pages", Map.of(node, PAGES), NumaMaps.at(address(buffer)));
                Checks.same("nodes told", NodeSet.of(node), binder.rangeNodes(MemoryRange.of(buffer)));
            });
            checks.check("a thread bound to node " + node + " touches its first pages there", () -> {
                try (BoundScope bound =
                        binder.bindThread(machine.numaNode(node).orElseThrow().cpuSet())) {
                    ByteBuffer buffer =
                            touched(binder.allocate(BYTES, MemoryPolicy.local()).buffer());
                    Checks.same("pages", Map.of(node, PAGES), NumaMaps.at(address(buffer)));
                }
            });
            checks.check("new memory of a thread goes to node " + node + " by its policy", () -> {
                ByteBuffer buffer;
                try (BoundScope bound = binder.bindMemory(on(MemoryMode.PREFER, NodeSet.of(node)))) {
                    buffer = ByteBuffer.allocateDirect(BYTES);
                }
                int[] told = binder.pageNodes(buffer);
                long there = Arrays.stream(told).filter(found -> found == node).count();
                // malloc may put the buffer over the end of memory that it had before, and that is not new.
                Checks.holds(there + " of " + told.length + " pages are there", there >= told.length - USED_BEFORE);
            });
        }
        checks.check("an interleaved buffer is spread over all nodes", () -> {
            ByteBuffer buffer = touched(
                    binder.allocate(BYTES, on(MemoryMode.INTERLEAVE, nodes)).buffer());
            Map<Integer, Long> pages = NumaMaps.at(address(buffer));
            Checks.same("nodes", nodes.size(), pages.size());
            pages.forEach((node, count) -> Checks.holds(
                    "node " + node + " has " + count + " of " + PAGES,
                    Math.abs(count - PAGES / nodes.size()) <= NumaMaps.pagesOf(HUGE_PAGE_BYTES)));
            Checks.same("nodes told", nodes, binder.rangeNodes(MemoryRange.of(buffer)));
        });
        checks.check("pages that are there move when asked to, and stay when not", () -> {
            ByteBuffer buffer = touched(
                    binder.allocate(BYTES, on(MemoryMode.BIND, NodeSet.of(0))).buffer());
            binder.bindRange(buffer, on(MemoryMode.BIND, NodeSet.of(last)), false);
            Checks.same("pages that stay", Map.of(0, PAGES), NumaMaps.at(address(buffer)));
            binder.bindRange(buffer, on(MemoryMode.BIND, NodeSet.of(last)), true);
            Checks.same("pages that moved", Map.of(last, PAGES), NumaMaps.at(address(buffer)));
            Checks.same("content", (byte) 1, buffer.get(PAGE * 7));
            Checks.same("policy", on(MemoryMode.BIND, NodeSet.of(last)), binder.rangePolicy(MemoryRange.of(buffer)));
        });
        if (Runtime.version().feature() >= 22) {
            checks.check("a memory segment moves to the last node", () -> {
                Class<?> arenas = Class.forName("java.lang.foreign.Arena");
                Object arena = arenas.getMethod("ofAuto").invoke(null);
                Object segment =
                        arenas.getMethod("allocate", long.class, long.class).invoke(arena, (long) BYTES, (long) PAGE);
                MemoryRange range = MemoryRange.ofSegment(segment);
                binder.bindRange(range, on(MemoryMode.BIND, NodeSet.of(last)), true);
                Checks.same("nodes told", NodeSet.of(last), binder.rangeNodes(range));
            });
        }
        checks.check("the last CPU of a bound thread is the one it is bound to", () -> {
            int cpu = machine.cpuSet().last();
            try (BoundScope bound = binder.bindThread(CpuSet.of(cpu))) {
                Checks.same("CPU", cpu, binder.lastCpu(binder.currentThreadId()));
            }
        });
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
