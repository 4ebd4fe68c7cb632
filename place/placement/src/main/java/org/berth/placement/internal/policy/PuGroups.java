package org.berth.placement.internal.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.placement.internal.parts.HostPart;
import org.berth.topology.CpuSet;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * Disjoint groups of a given number of usable PUs, each as close together as the machine's tree has them: no group reaches beyond
 * an object (core, cluster, cache, package) that has enough PUs for it.
 */
final class PuGroups {
    private final int size;
    private final CpuSet usable;
    private final List<Group> groups = new ArrayList<>();
    private CpuSet incomplete = CpuSet.empty();
    private CpuSet leftOver = CpuSet.empty();

    PuGroups(TopologyObject root, CpuSet usable, int size) {
        this.size = size;
        this.usable = usable;
        divide(root);
    }

    /**
     * One group.
     *
     * @param pus its PUs in logical order
     * @param rank how many groups of the same core come before it
     * @param rest whether it has fewer PUs than wanted because others of the same place have what they want
     */
    record Group(List<TopologyObject> pus, int rank, boolean rest) {}

    /** In logical order; at least one when a PU is usable. */
    List<Group> groups() {
        return groups;
    }

    /** PUs of groups that have fewer than wanted: more are not usable there. */
    CpuSet incomplete() {
        return incomplete;
    }

    /** PUs in groups that are a rest, because the number that lies together is no multiple of the wanted one. */
    CpuSet leftOver() {
        return leftOver;
    }

    private void divide(TopologyObject object) {
        List<TopologyObject> small = new ArrayList<>();
        for (TopologyObject child : object.children()) {
            if (child.type() != ObjectType.PU && child.cpuSet().size() >= size) {
                pack(small);
                divide(child);
            } else {
                small.add(child);
            }
        }
        pack(small);
    }

    /** Neighbours none of which is large enough alone: whole ones together, so that two groups never share one. */
    private void pack(List<TopologyObject> neighbours) {
        int before = groups.size();
        List<TopologyObject> pending = new ArrayList<>();
        for (TopologyObject neighbour : neighbours) {
            addPus(neighbour, pending);
            if (pending.size() >= size) {
                add(pending.subList(0, size), false);
                leaveOver(pending.subList(size, pending.size()));
                pending.clear();
            }
        }
        if (groups.size() > before) {
            leaveOver(pending);
        } else if (!pending.isEmpty()) {
            add(pending, false);
            incomplete = incomplete.union(HostPart.cpusOf(pending));
        }
        neighbours.clear();
    }

    private void add(List<TopologyObject> pus, boolean rest) {
        Optional<TopologyObject> core = pus.get(0).ancestor(ObjectType.CORE);
        int rank = 0;
        if (core.isPresent() && !groups.isEmpty()) {
            Group last = groups.get(groups.size() - 1);
            rank = last.pus.get(0).ancestor(ObjectType.CORE).equals(core) ? last.rank + 1 : 0;
        }
        groups.add(new Group(List.copyOf(pus), rank, rest));
    }

    private void addPus(TopologyObject object, List<TopologyObject> pus) {
        if (object.type() == ObjectType.PU && usable.contains(object.osIndex())) {
            pus.add(object);
        }
        object.children().forEach(child -> addPus(child, pus));
    }

    private void leaveOver(List<TopologyObject> pus) {
        if (!pus.isEmpty()) {
            add(pus, true);
            leftOver = leftOver.union(HostPart.cpusOf(pus));
        }
    }
}
