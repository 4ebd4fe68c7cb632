package org.berth.jobs.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.berth.binding.Binder;
import org.berth.binding.LocalMachine;
import org.berth.binding.MemoryPolicy;
import org.berth.placement.MemoryMode;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;

/** The pairs of CPUs and memory that {@link Bandwidth} and {@link Latency} measure. */
final class MemoryPlaces {
    /**
     * One pair. The thread that measures binds itself, makes its buffers and ends; it takes its binding with it.
     *
     * @param cpusOfNode osIndex of the node whose CPUs the threads run on; empty where the JVM itself was put
     * @param memoryOnNode likewise, of the memory; empty near the thread that touches it first
     * @param cpus as many as the threads may choose from; empty for all of the JVM
     */
    record Place(Optional<Integer> cpusOfNode, Optional<Integer> memoryOnNode, Optional<CpuSet> cpus) {
        /** Binds the calling thread; called before {@link #allocate}. */
        void bindThread(Optional<Binder> binder) {
            cpus.ifPresent(set -> binder.orElseThrow().setThreadCpusUnverified(set));
        }

        ByteBuffer allocate(Optional<Binder> binder, int sizeBytes) {
            Optional<ByteBuffer> onNode = memoryOnNode.map(node -> binder.orElseThrow()
                    .allocate(sizeBytes, new MemoryPolicy(MemoryMode.BIND, NodeSet.of(node)))
                    .buffer());
            return onNode.orElseGet(() -> ByteBuffer.allocateDirect(sizeBytes)).order(ByteOrder.nativeOrder());
        }
    }

    private final List<Place> places;
    private final Optional<Binder> binder;

    private MemoryPlaces(List<Place> places, Optional<Binder> binder) {
        this.places = places;
        this.binder = binder;
    }

    /** One place: threads and memory where the JVM, its agent or a tool puts them. */
    static MemoryPlaces unbound() {
        return new MemoryPlaces(
                List.of(new Place(Optional.empty(), Optional.empty(), Optional.empty())), Optional.empty());
    }

    /**
     * All pairs of a node with CPUs and a node with memory that this process may use.
     *
     * @throws org.berth.binding.errors.BindingException when the machine cannot be discovered
     */
    static MemoryPlaces matrix(LocalMachine machine) {
        return new MemoryPlaces(matrix(machine.topology()), Optional.of(machine.binder()));
    }

    static List<Place> matrix(Topology topology) {
        List<Place> places = new ArrayList<>();
        Set<CpuSet> rows = new HashSet<>();
        topology.allowedNodeSet().forEachIndex(from -> {
            CpuSet cpus = topology.cpusNear(NodeSet.of(from)).intersection(topology.allowedCpuSet());
            // A node of memory alone, such as CXL, has no CPUs; one next to another, such as HBM, has the same.
            if (!cpus.isEmpty() && rows.add(cpus)) {
                topology.allowedNodeSet()
                        .forEachIndex(
                                to -> places.add(new Place(Optional.of(from), Optional.of(to), Optional.of(cpus))));
            }
        });
        return places;
    }

    /** The size of the largest cache; 0 when the machine does not tell. */
    static long largestCacheBytes(Topology topology) {
        return List.of(ObjectType.L2_CACHE, ObjectType.L3_CACHE, ObjectType.L4_CACHE).stream()
                .flatMap(type -> topology.objects(type).stream())
                .map(TopologyObject::attributes)
                .mapToLong(attributes -> attributes instanceof ObjectAttributes.Cache cache ? cache.sizeBytes() : 0)
                .max()
                .orElse(0);
    }

    /**
     * Between two places: the buffers of the last one are garbage now, and unmapped when they are collected. Otherwise
     * that would happen in the middle of the next one, or its node would be full.
     */
    static void giveBack() {
        System.gc();
    }

    List<Place> list() {
        return places;
    }

    Optional<Binder> binder() {
        return binder;
    }
}
