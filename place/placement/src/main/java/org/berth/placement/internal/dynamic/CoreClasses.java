package org.berth.placement.internal.dynamic;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.placement.internal.parts.Core;
import org.berth.placement.internal.policy.Domains;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/** The cores of a machine with their relations to the interrupt-handling ones. */
final class CoreClasses {
    private final Topology topology;
    private final List<String> notes = new ArrayList<>();
    private final List<ServiceCore> cores = new ArrayList<>();
    private final Optional<Reach> disk;
    private final Optional<Reach> network;

    CoreClasses(Topology topology, InterruptReference disk, InterruptReference network) {
        this.topology = topology;
        this.disk = reach("disk", disk.handlingCpus());
        Optional<Reach> ofNetwork = reach("network", network.handlingCpus());
        CpuSet usable = topology.allowedCpuSet().intersection(topology.cpuSet());
        List<Core> all = new Domains(topology, usable)
                .packages().stream().flatMap(domain -> domain.cores().stream()).toList();
        // With a queue, and so an interrupt, for every core, each is [NS], which says nothing about any of them.
        boolean everywhere = all.size() > 1
                && ofNetwork.isPresent()
                && all.stream().allMatch(core -> whole(core).intersects(ofNetwork.get().same));
        if (everywhere) {
            notes.add(
                    "the network's interrupts reach every usable core: none counts as [NS] unless the core of the single"
                            + " connection is known");
        }
        this.network = everywhere ? Optional.empty() : ofNetwork;
        CpuSet local = disk.localCpus();
        for (Core core : all) {
            cores.add(new ServiceCore(
                    core.label(),
                    core.cpus(),
                    this.disk.map(reach -> reach.relation(whole(core))),
                    this.network.map(reach -> reach.relation(whole(core))),
                    local.containsAll(core.cpus())));
        }
        addNotes();
    }

    List<ServiceCore> cores() {
        return cores;
    }

    List<String> notes() {
        return notes;
    }

    private void addNotes() {
        List<ServiceCore> both = cores.stream()
                .filter(core -> core.avoided() && core.disk().equals(Optional.of(InterruptRelation.SAME)))
                .toList();
        boolean other = cores.stream()
                .anyMatch(core -> !core.avoided() && core.disk().equals(Optional.of(InterruptRelation.SAME)));
        if (!both.isEmpty()) {
            notes.add("disk and network interrupt the same core ("
                    + both.get(0).words() + (both.size() > 1 ? " and " + (both.size() - 1) + " more" : "")
                    + "), which is [NS] and never chosen"
                    + (other ? "" : ": there is no [DS] left; 'berth irq --spread' would part them"));
        }
        if (cores.stream().allMatch(ServiceCore::avoided)) {
            notes.add("every usable core is [NS]: threads are left to the kernel");
        }
    }

    /** A core is busy with an interrupt whichever of its hardware threads takes it. */
    private static CpuSet whole(Core core) {
        return core.pus()
                .get(0)
                .ancestor(ObjectType.CORE)
                .map(TopologyObject::cpuSet)
                .orElse(core.cpus());
    }

    private Optional<Reach> reach(String device, CpuSet handling) {
        CpuSet known = handling.intersection(topology.cpuSet());
        if (handling.isEmpty()) {
            notes.add(
                    "the " + device + "'s interrupt-handling core is not known: no core has a class by the " + device);
        } else if (known.isEmpty()) {
            notes.add("the " + device + " interrupts CPUs " + handling
                    + ", which this machine's description does not show:" + " no core has a class by the " + device);
        }
        return known.isEmpty() ? Optional.empty() : Optional.of(Reach.of(topology, known));
    }

    /** The CPUs that share a cache or a node with a set of CPUs. */
    private record Reach(CpuSet same, CpuSet cache, CpuSet memory) {
        static Reach of(Topology topology, CpuSet handling) {
            CpuSet cache = CpuSet.empty();
            for (int cpu : handling.toArray()) {
                cache = cache.union(topology.pu(cpu).map(Reach::largestCache).orElseGet(CpuSet::empty));
            }
            return new Reach(handling, cache, topology.cpusNear(topology.nodesOf(handling)));
        }

        private static CpuSet largestCache(TopologyObject pu) {
            CpuSet cpus = CpuSet.empty();
            for (Optional<TopologyObject> at = pu.parent();
                    at.isPresent();
                    at = at.get().parent()) {
                cpus = at.get().type().isCache() ? at.get().cpuSet() : cpus;
            }
            return cpus;
        }

        InterruptRelation relation(CpuSet core) {
            if (core.intersects(same)) {
                return InterruptRelation.SAME;
            }
            if (core.intersects(cache)) {
                return InterruptRelation.CACHE;
            }
            return core.intersects(memory) ? InterruptRelation.MEMORY : InterruptRelation.REMOTE;
        }
    }
}
