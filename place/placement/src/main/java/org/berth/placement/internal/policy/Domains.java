package org.berth.placement.internal.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.berth.placement.internal.parts.Core;
import org.berth.placement.internal.parts.HostPart;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;
import org.jspecify.annotations.Nullable;

/** The usable part of a machine, cut into the domains of each level, in logical order; {@code domains.c} has the same from sysfs. */
public final class Domains {
    private final Topology topology;
    private final CpuSet usable;
    private final List<TopologyObject> pus;
    private final List<String> notes = new ArrayList<>();

    public Domains(Topology topology, CpuSet usable) {
        this.topology = topology;
        this.usable = usable;
        this.pus = topology.objects(ObjectType.PU).stream()
                .filter(pu -> usable.contains(pu.osIndex()))
                .toList();
    }

    /** Objects that a machine normally has and that the domains asked for so far lack. */
    public List<String> notes() {
        return notes;
    }

    public HostPart whole() {
        return new HostPart("the allowed set", List.of(), usable, List.of());
    }

    /** Packages with a usable PU. PUs outside every package count as one further package. */
    public List<HostPart> packages() {
        List<HostPart> result = new ArrayList<>();
        boolean coreless = false;
        Map<Optional<TopologyObject>, List<TopologyObject>> members = new LinkedHashMap<>();
        for (TopologyObject pu : pus) {
            members.computeIfAbsent(pu.ancestor(ObjectType.PACKAGE), key -> new ArrayList<>())
                    .add(pu);
            coreless |= pu.ancestor(ObjectType.CORE).isEmpty();
        }
        for (Map.Entry<Optional<TopologyObject>, List<TopologyObject>> entry : members.entrySet()) {
            CpuSet cpus = HostPart.cpusOf(entry.getValue());
            List<Core> cores = FastCores.first(topology, usable, cores(entry.getValue()));
            if (entry.getKey().isPresent()) {
                int index = entry.getKey().get().logicalIndex();
                result.add(new HostPart("package", List.of(index), cpus, cores));
            } else {
                boolean alone = members.size() == 1;
                notes.add(
                        alone
                                ? "this machine names no packages: it counts as one"
                                : "no package holds " + HostPart.pus(cpus) + ": that counts as one more");
                String noun = alone ? "this machine" : "the part without a package";
                result.add(new HostPart(noun, List.of(), cpus, cores));
            }
        }
        if (coreless) {
            notes.add("this machine names no cores for some PUs: each of them counts as a core");
        }
        return result;
    }

    /**
     * NUMA nodes with a usable CPU. Nodes with the same CPUs (several kinds of memory) are one domain, and where the CPUs
     * of nodes overlap, those near the same set of nodes are.
     */
    public List<HostPart> numaDomains() {
        return numaDomains(0);
    }

    /** The same for a number of threads: only when the nodes have too few CPUs for these, what no node holds is one more. */
    public List<HostPart> numaDomains(long threads) {
        Map<List<Integer>, List<TopologyObject>> pusByNodes = new LinkedHashMap<>();
        List<TopologyObject> nodes = topology.objects(ObjectType.NUMA_NODE);
        for (TopologyObject pu : pus) {
            List<Integer> near = new ArrayList<>();
            for (TopologyObject node : nodes) {
                if (node.cpuSet().contains(pu.osIndex())) {
                    near.add(node.logicalIndex());
                }
            }
            pusByNodes.computeIfAbsent(near, key -> new ArrayList<>()).add(pu);
        }
        List<TopologyObject> nodeless = pusByNodes.remove(List.<Integer>of());
        if (pusByNodes.isEmpty()) {
            notes.add("no NUMA node has a usable CPU: the allowed set counts as one");
            return List.of(whole());
        }
        List<HostPart> domains = new ArrayList<>();
        pusByNodes.forEach(
                (near, members) -> domains.add(new HostPart("NUMA node", near, HostPart.cpusOf(members), List.of())));
        if (nodeless != null) {
            CpuSet cpus = HostPart.cpusOf(nodeless);
            boolean needed = threads > pus.size() - nodeless.size();
            if (needed) {
                domains.add(new HostPart("the part without a NUMA node", List.of(), cpus, List.of()));
            }
            notes.add("no NUMA node holds " + HostPart.pus(cpus)
                    + (needed
                            ? ": that counts as one more, as the nodes have too few CPUs"
                            : ": level numa leaves that out"));
        }
        return domains;
    }

    private static List<Core> cores(List<TopologyObject> pus) {
        List<Core> result = new ArrayList<>();
        List<TopologyObject> members = new ArrayList<>();
        for (int i = 0; i < pus.size(); i++) {
            TopologyObject core = coreOf(pus.get(i));
            members.add(pus.get(i));
            boolean last = i + 1 == pus.size() || !Objects.equals(core, coreOf(pus.get(i + 1)));
            if (last || core == null) {
                String label = core == null ? "PU L#" + pus.get(i).logicalIndex() : "core L#" + core.logicalIndex();
                result.add(new Core(label, HostPart.cpusOf(members), List.copyOf(members)));
                members.clear();
            }
        }
        return result;
    }

    private static @Nullable TopologyObject coreOf(TopologyObject pu) {
        return pu.ancestor(ObjectType.CORE).orElse(null);
    }
}
