package org.berth.spark.executor;

import java.util.ArrayList;
import java.util.List;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.ThreadOrder;
import org.berth.placement.internal.host.CorePus;
import org.berth.placement.internal.host.HostDivision;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** The slots of a level: PUs, cores, or as many L3 caches, nodes or packages as an executor has. */
final class TaskSlots {
    private final Topology part;
    private final OrderedLevel level;
    private final List<TaskSlot> slots = new ArrayList<>();

    private TaskSlots(Topology part, OrderedLevel level) {
        this.part = part;
        this.level = level;
    }

    /** @throws IllegalArgumentException at level none, which has no slots */
    static List<TaskSlot> of(Topology topology, OrderedLevel level, CpuSet cpus) {
        TaskSlots slots = new TaskSlots(topology.withAllowed(cpus, topology.allowedNodeSet()), level);
        switch (level.level()) {
            case NONE -> throw new IllegalArgumentException("level none binds no task");
            case NUMA, PACKAGE ->
                HostDivision.domains(slots.part, level.level()).forEach(slots::add);
            case L3 -> slots.addCaches();
            case CORE, PU -> slots.addCores();
        }
        return slots.slots;
    }

    private void add(CpuSet domain) {
        slots.add(TaskSlot.of(domain, slots.size()));
    }

    private void addCaches() {
        List<List<CpuSet>> groups = PlacementPolicies.alikeCaches(part);
        for (int rank = 0; rank < groups.size(); rank++) {
            for (CpuSet cache : groups.get(rank)) {
                slots.add(TaskSlot.of(cache, slots.size()).in(slots.size(), rankOf(rank)));
            }
        }
    }

    private void addCores() {
        boolean spread = level.order() != ThreadOrder.PACK;
        List<List<CpuSet>> caches = spread ? PlacementPolicies.alikeCaches(part) : List.of();
        int group = 0;
        for (List<CpuSet> core : CorePus.of(part, part.allowedCpuSet())) {
            CpuSet all = core.stream().reduce(CpuSet.empty(), CpuSet::union);
            int first = slots.size();
            for (CpuSet cpus : level.level() == AffinityLevel.CORE ? List.of(all) : core) {
                slots.add(TaskSlot.of(cpus, group));
            }
            for (int slot = first; spread && slot < slots.size(); slot++) {
                slots.set(slot, inCache(slots.get(slot), caches));
            }
            group++;
        }
    }

    private TaskSlot inCache(TaskSlot slot, List<List<CpuSet>> groups) {
        int cache = 0;
        for (int rank = 0; rank < groups.size(); rank++) {
            for (CpuSet cpus : groups.get(rank)) {
                if (cpus.containsAll(slot.cpus())) {
                    return slot.in(cache, rankOf(rank));
                }
                cache++;
            }
        }
        return slot;
    }

    /** Over all caches, alike or not, tasks are spread evenly. */
    private int rankOf(int group) {
        return level.order() == ThreadOrder.SPREAD_ALL ? 0 : group;
    }
}
