package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.topology.CpuKind;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;

/** What a plan at level l3 must keep, read from the CPU sets of the caches, nodes and kinds alone. */
final class CacheOracle {
    private final Topology machine;
    private final PlacementRequest request;
    private final PlacementPlan plan;
    private final CpuSet usable;
    private final boolean ranked;

    CacheOracle(Topology machine, PlacementRequest request, PlacementPlan plan) {
        this.machine = machine;
        this.request = request;
        this.plan = plan;
        this.usable = machine.allowedCpuSet();
        Set<Integer> ranks = new HashSet<>();
        usable.stream().forEach(cpu -> ranks.add(rank(cpu)));
        this.ranked = ranks.size() > 1 && !ranks.contains(-1);
    }

    void check() {
        for (Slot slot : plan.slots()) {
            assertThat(partOf(slot.cpus().first())).as("%s is one part", slot).isEqualTo(slot.cpus());
        }
        for (int worker = 0; worker < plan.workers(); worker++) {
            checkWorker(loads(worker));
        }
        if (plan.workers() == 1 && request.threadsPerWorker() <= usable.size()) {
            assertThat(plan.oversubscribed()).as("one worker has room").isFalse();
        }
    }

    /** All CPUs that share the cache (without one, the node and the package) and the speed of a CPU. */
    private CpuSet partOf(int cpu) {
        CpuSet part = machine.objects(ObjectType.L3_CACHE).stream()
                .map(TopologyObject::cpuSet)
                .filter(cpus -> cpus.contains(cpu))
                .findFirst()
                .orElseGet(() -> withoutCache(cpu))
                .intersection(usable);
        return ranked
                ? CpuSet.of(
                        part.stream().filter(other -> rank(other) == rank(cpu)).toArray())
                : part;
    }

    private CpuSet withoutCache(int cpu) {
        CpuSet part = usable;
        for (TopologyObject object : machine.objects(ObjectType.L3_CACHE)) {
            part = part.minus(object.cpuSet());
        }
        for (ObjectType type : List.of(ObjectType.PACKAGE, ObjectType.NUMA_NODE)) {
            for (TopologyObject object : machine.objects(type)) {
                part = object.cpuSet().contains(cpu) ? part.intersection(object.cpuSet()) : part.minus(object.cpuSet());
            }
        }
        return part;
    }

    private int rank(int cpu) {
        return machine.cpuKind(cpu).map(CpuKind::efficiency).orElse(-1);
    }

    private long size(CpuSet part) {
        return machine.objects(ObjectType.L3_CACHE).stream()
                .filter(cache -> cache.cpuSet().containsAll(part))
                .map(TopologyObject::attributes)
                .mapToLong(attributes -> attributes instanceof ObjectAttributes.Cache cache ? cache.sizeBytes() : 0)
                .findFirst()
                .orElse(0);
    }

    private Map<CpuSet, Integer> loads(int worker) {
        Map<CpuSet, Integer> loads = new HashMap<>();
        plan.workerSlots(worker).forEach(slot -> loads.merge(slot.cpus(), 1, Integer::sum));
        return loads;
    }

    private void checkWorker(Map<CpuSet, Integer> loads) {
        int threads = request.threadsPerWorker();
        if (request.order() == ThreadOrder.PACK) {
            boolean fits = plan.workers() == 1
                    ? loads.keySet().stream().anyMatch(part -> part.size() >= threads)
                    : usable.stream()
                                    .mapToObj(this::partOf)
                                    .distinct()
                                    .mapToInt(part -> part.size() / threads)
                                    .sum()
                            >= plan.workers();
            assertThat(loads).as("a worker that fits has one cache").hasSize(fits ? 1 : loads.size());
            return;
        }
        boolean alone = plan.workers() == 1 && threads <= usable.size();
        if (alone) {
            int least = loads.entrySet().stream()
                    .filter(entry -> entry.getValue() < entry.getKey().size())
                    .mapToInt(Map.Entry::getValue)
                    .min()
                    .orElse(threads);
            assertThat(loads.values()).as("in turn").allMatch(load -> load <= least + 1);
        }
        Set<List<Long>> kinds = new HashSet<>();
        loads.keySet().forEach(part -> kinds.add(List.of((long) rank(part.first()), size(part))));
        if (alone && request.order() == ThreadOrder.SPREAD && kinds.size() > 1) {
            loads.keySet()
                    .forEach(part -> assertThat(part.size())
                            .as("unlike caches only where one has too few CPUs")
                            .isLessThan(threads));
        }
    }
}
