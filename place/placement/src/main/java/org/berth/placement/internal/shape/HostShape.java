package org.berth.placement.internal.shape;

import java.util.ArrayList;
import java.util.List;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryPlace;
import org.berth.placement.PlacementException;
import org.berth.placement.PlacementRequest;
import org.berth.placement.internal.policy.UsableCpus;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/**
 * How many processes a host gets, and the part of each: CPUs, memory nodes and heap. Pure, immutable and safe for use by several
 * threads.
 *
 * <p>The parts are disjoint. Together with {@code leftOver} they are all CPUs that the request allows. The heaps of the processes
 * on a memory node fit into it together.
 *
 * @param parts in logical order, at least one
 * @param leftOver CPUs by osIndex that belong to no part, because the machine names no such object for them
 * @param notes what the user should know, one line each
 * @since 0.1.0
 */
public record HostShape(List<ShapePart> parts, CpuSet leftOver, List<String> notes) {
    public HostShape {
        parts = List.copyOf(parts);
        notes = List.copyOf(notes);
    }

    /**
     * Cuts a host into parts.
     *
     * <p>A number of parts is dealt out over packages and then over their NUMA nodes, by their cores: no part crosses a node or
     * package that another part is in. Within a node, parts are whole L3 caches where these can be shared out evenly; otherwise
     * they are neighbouring cores, and their sizes differ by one core at most.
     *
     * @throws PlacementException one line, when the host has no such parts, not enough CPUs or not enough memory
     */
    public static HostShape of(Topology topology, ShapeRequest request) {
        CpuSet usable = UsableCpus.everywhere(topology, processRequest(request)).cpus();
        ShapeCutter cutter = new ShapeCutter(topology, usable);
        List<ShapeCutter.Piece> pieces = cutter.cut(request.into());
        List<String> notes = new ArrayList<>(cutter.notes());
        List<NodeSet> nodes = new ArrayList<>();
        CpuSet covered = CpuSet.empty();
        NodeSet allowed = topology.allowedNodeSet().intersection(topology.nodeSet());
        for (ShapeCutter.Piece piece : pieces) {
            NodeSet near = request.memoryPlace().nodes(topology, piece.cpus());
            nodes.add(near.isEmpty() ? allowed : near);
            covered = covered.union(piece.cpus());
        }
        NodeSet leftOut = request.memoryPlace().leftOut(topology, covered);
        if (!leftOut.isEmpty()) {
            notes.add(MemoryPlace.leftOutNote(leftOut));
        }
        ShapeMemory memory = ShapeMemory.of(topology, pieces, nodes, request);
        notes.addAll(memory.notes());
        List<ShapePart> parts = new ArrayList<>();
        for (int i = 0; i < pieces.size(); i++) {
            ShapeCutter.Piece piece = pieces.get(i);
            parts.add(new ShapePart(
                    i,
                    piece.cpus(),
                    piece.cores(),
                    nodes.get(i),
                    memory.bytes().get(i),
                    memory.heapBytes().get(i),
                    piece.reason()));
        }
        return new HostShape(parts, usable.minus(covered), notes);
    }

    /**
     * Returns the domain of a lease that is a part of this shape, for engines that take one size of all processes: {@code l3}, {@code
     * numa}, {@code package}, or {@code core:K} with the cores of the smallest part.
     *
     * @param into what this shape was cut into
     */
    public String domain(Division into) {
        return into.kind() == Division.Kind.COUNT
                ? "core:" + parts.stream().mapToInt(ShapePart::cores).min().orElseThrow()
                : into.word();
    }

    private static PlacementRequest processRequest(ShapeRequest request) {
        PlacementRequest one = PlacementRequest.of(AffinityLevel.NONE, 1, 1);
        return request.within().map(one::withCpus).orElse(one);
    }
}
