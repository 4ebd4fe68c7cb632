package org.berth.placement.internal.shape;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.berth.placement.PlacementException;
import org.berth.text.Bytes;
import org.berth.text.Words;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;

/**
 * Memory and heap of each piece of a {@link HostShape}. The memory of a node is shared out among the pieces that use it, by their
 * CPUs there.
 */
record ShapeMemory(List<Long> bytes, List<Long> heapBytes, List<String> notes) {
    private static final long MEBIBYTE = 1L << 20;
    private static final long GIBIBYTE = 1L << 30;

    /** HotSpot's compressed pointers reach 32 GiB; above, a heap pays about a fifth for the larger ones. */
    private static final long POINTERS_GROW_BYTES = 32 * GIBIBYTE;

    private static final long POINTERS_PAY_BYTES = 38 * GIBIBYTE;

    /** A JVM refuses a smaller one. */
    private static final long SMALLEST_HEAP_BYTES = 2 * MEBIBYTE;

    static ShapeMemory of(
            Topology topology, List<ShapeCutter.Piece> pieces, List<NodeSet> nodes, ShapeRequest request) {
        List<Long> bytes = limited(shares(topology, pieces, nodes), request);
        List<String> notes = new ArrayList<>();
        List<Long> heaps = heaps(bytes, request, notes);
        if (heaps.stream().anyMatch(heap -> heap >= POINTERS_GROW_BYTES && heap < POINTERS_PAY_BYTES)) {
            notes.add(
                    "heaps from 32 to 38 GiB hold no more objects than 31 GiB do, because pointers grow from 4 to 8 bytes");
        }
        return new ShapeMemory(bytes, heaps, notes);
    }

    private static List<Long> shares(Topology topology, List<ShapeCutter.Piece> pieces, List<NodeSet> nodes) {
        List<Long> bytes = new ArrayList<>(Collections.nCopies(pieces.size(), 0L));
        for (TopologyObject node : topology.objects(ObjectType.NUMA_NODE)) {
            long own = node.attributes() instanceof ObjectAttributes.NumaNode memory ? memory.localMemoryBytes() : 0;
            long[] cpus = new long[pieces.size()];
            for (int i = 0; i < cpus.length; i++) {
                int near = pieces.get(i).cpus().intersection(node.cpuSet()).size();
                boolean uses = nodes.get(i).contains(node.osIndex());
                cpus[i] = !uses ? 0 : near == 0 ? pieces.get(i).cpus().size() : near;
            }
            long all = IntStream.range(0, cpus.length).mapToLong(i -> cpus[i]).sum();
            for (int i = 0; i < cpus.length && all > 0; i++) {
                bytes.set(i, bytes.get(i) + scaled(own, cpus[i], all));
            }
        }
        return bytes;
    }

    private static List<Long> limited(List<Long> bytes, ShapeRequest request) {
        long all = sum(bytes);
        long limit = request.memoryLimitBytes().orElse(Long.MAX_VALUE);
        return limit >= all
                ? bytes
                : bytes.stream().map(own -> scaled(limit, own, all)).toList();
    }

    private static List<Long> heaps(List<Long> bytes, ShapeRequest request, List<String> notes) {
        if (request.heapBytes().isEmpty()) {
            return bytes.stream()
                    .map(own -> rounded(scaled(own, request.heapPercent(), 100)))
                    .toList();
        }
        long wanted = request.heapBytes().getAsLong();
        long all = sum(bytes);
        if (all == 0) {
            notes.add("the memory of this machine is not known: each process gets an equal share of the heap");
            return Collections.nCopies(bytes.size(), rounded(wanted / bytes.size()));
        }
        if (wanted > all) {
            throw new PlacementException(
                    "heaps of " + Bytes.text(wanted) + " together do not fit into the memory of the "
                            + Words.count(bytes.size(), "part") + ", " + Bytes.text(all) + ": ask for less");
        }
        return bytes.stream().map(own -> rounded(scaled(wanted, own, all))).toList();
    }

    /** Down to a round number that costs 6 % at most. */
    private static long rounded(long bytes) {
        long unit = bytes >= 4 * GIBIBYTE ? 256 * MEBIBYTE : bytes >= 256 * MEBIBYTE ? 16 * MEBIBYTE : MEBIBYTE;
        long result = bytes / unit * unit;
        return result < SMALLEST_HEAP_BYTES ? 0 : result;
    }

    private static long scaled(long value, long numerator, long denominator) {
        return BigInteger.valueOf(value)
                .multiply(BigInteger.valueOf(numerator))
                .divide(BigInteger.valueOf(denominator))
                .longValueExact();
    }

    private static long sum(List<Long> bytes) {
        return bytes.stream().mapToLong(Long::longValue).sum();
    }
}
