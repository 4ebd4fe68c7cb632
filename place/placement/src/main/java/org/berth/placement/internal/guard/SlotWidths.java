package org.berth.placement.internal.guard;

import java.util.ArrayList;
import java.util.List;
import org.berth.placement.AffinityLevel;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** The CPUs around slots, step by step: those of the L3 cache, of the node, of the domain. Immutable. */
public final class SlotWidths {
    private final List<Step> steps;

    /** Disjoint sets of CPUs, each with a name for people. */
    private record Step(String name, List<CpuSet> parts) {
        CpuSet around(CpuSet cpus) {
            CpuSet around = cpus;
            for (CpuSet part : parts) {
                if (part.intersects(cpus)) {
                    around = around.union(part);
                }
            }
            return around;
        }
    }

    private SlotWidths(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    /**
     * The steps at which a slot grows.
     *
     * @param domain the CPUs that the slots may use together
     */
    public static SlotWidths of(Topology topology, CpuSet domain, List<CpuSet> slots) {
        Topology part = topology.withAllowed(domain, topology.allowedNodeSet());
        List<Step> steps = new ArrayList<>();
        List<CpuSet> before = slots;
        for (Step step : List.of(
                new Step("their L3 caches", PlacementPolicies.domains(part, AffinityLevel.L3)),
                new Step("their memory nodes", PlacementPolicies.domains(part, AffinityLevel.NUMA)),
                new Step("all CPUs of the domain", List.of(domain)))) {
            List<CpuSet> now = before.stream().map(step::around).toList();
            if (!now.equals(before)) {
                steps.add(step);
                before = now;
            }
        }
        return new SlotWidths(steps);
    }

    /** No step: slots that stay as they are. */
    public static SlotWidths none() {
        return new SlotWidths(List.of());
    }

    /** How many steps there are. */
    public int widest() {
        return steps.size();
    }

    /** What slots of a width from 1 on have, in the plural. */
    public String name(int width) {
        return steps.get(width - 1).name();
    }

    /** The CPUs of a thread with a slot, at a width of 0 those of the slot alone. */
    public CpuSet around(CpuSet slot, int width) {
        CpuSet around = slot;
        for (int step = 0; step < width; step++) {
            around = steps.get(step).around(around);
        }
        return around;
    }
}
