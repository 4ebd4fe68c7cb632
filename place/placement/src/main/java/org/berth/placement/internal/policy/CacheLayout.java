package org.berth.placement.internal.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.berth.placement.internal.parts.HostPart;
import org.berth.text.Bytes;
import org.berth.topology.CpuKind;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;
import org.jspecify.annotations.Nullable;

/**
 * The usable part of a machine, cut into its L3 caches. A cache may hold several NUMA nodes (sub-NUMA clusters) and a
 * node several caches (EPYC): both are read from the CPUs, not from the tree.
 */
public final class CacheLayout {
    private final Topology topology;
    private final boolean ranked;
    private final List<CachePart> parts = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** What the CPUs of one part have in common; the nodes tell parts apart only where no cache does. */
    private record Key(@Nullable TopologyObject cache, int packageIndex, List<Integer> nodes, int efficiency) {}

    public CacheLayout(Topology topology, CpuSet usable) {
        this.topology = topology;
        this.ranked = FastCores.isRanked(topology, usable);
        Map<Key, List<TopologyObject>> members = new LinkedHashMap<>();
        for (TopologyObject pu : topology.objects(ObjectType.PU)) {
            if (usable.contains(pu.osIndex())) {
                members.computeIfAbsent(key(pu), key -> new ArrayList<>()).add(pu);
            }
        }
        Map<@Nullable TopologyObject, Long> kindsOfCache = members.keySet().stream()
                .filter(key -> key.cache != null)
                .collect(Collectors.groupingBy(Key::cache, LinkedHashMap::new, Collectors.counting()));
        members.forEach((key, pus) -> parts.add(part(key, pus, kindsOfCache.getOrDefault(key.cache, 1L) > 1)));
        note(members.keySet());
    }

    /** In logical order, at least one. */
    public List<CachePart> parts() {
        return parts;
    }

    /** What level l3 cannot do on this machine, or does as another level would. */
    List<String> notes() {
        return notes;
    }

    private Key key(TopologyObject pu) {
        Optional<TopologyObject> cache = pu.ancestor(ObjectType.L3_CACHE);
        int packageIndex = packageOf(pu);
        return new Key(
                cache.orElse(null),
                cache.isPresent() ? -1 : packageIndex,
                cache.isPresent() ? List.of() : nodesOf(pu),
                ranked ? topology.cpuKind(pu.osIndex()).map(CpuKind::efficiency).orElse(-1) : -1);
    }

    private CachePart part(Key key, List<TopologyObject> pus, boolean oneOfSeveralKinds) {
        String noun = oneOfSeveralKinds ? "CPUs of efficiency " + key.efficiency + " of L3 cache" : "L3 cache";
        List<Integer> nodes = pus.stream()
                .map(this::nodesOf)
                .flatMap(List::stream)
                .distinct()
                .sorted()
                .toList();
        int packageIndex = packageOf(pus.get(0));
        HostPart domain = key.cache == null
                ? new HostPart(withoutCache(key), List.of(), HostPart.cpusOf(pus), List.of())
                : new HostPart(noun, List.of(key.cache.logicalIndex()), HostPart.cpusOf(pus), List.of());
        long size = key.cache != null && key.cache.attributes() instanceof ObjectAttributes.Cache cache
                ? cache.sizeBytes()
                : 0;
        return new CachePart(domain, key.efficiency, size, packageIndex, nodes);
    }

    private static String withoutCache(Key key) {
        if (!key.nodes.isEmpty()) {
            return HostPart.label("NUMA node", key.nodes);
        }
        return key.packageIndex < 0 ? "this machine" : "package L#" + key.packageIndex;
    }

    private void note(Iterable<Key> keys) {
        CpuSet without = CpuSet.empty();
        int position = 0;
        for (Key key : keys) {
            CpuSet cpus = parts.get(position++).domain().cpus();
            without = key.cache == null ? without.union(cpus) : without;
        }
        if (without.isEmpty()) {
            noteRelation();
            noteSizes();
        } else if (parts.stream()
                .allMatch(part -> part.domain().logicalIndexes().isEmpty())) {
            notes.add("this machine names no L3 cache: each NUMA node, or package, counts as one");
        } else {
            notes.add("no L3 cache holds " + HostPart.pus(without) + ": its NUMA node, or package, counts as one");
        }
    }

    /** Levels numa and package are known by users: where l3 gives the same, or is looser, the plan notes it. */
    private void noteRelation() {
        List<CpuSet> caches = parts.stream().map(part -> part.domain().cpus()).toList();
        CpuSet all = caches.stream().reduce(CpuSet.empty(), CpuSet::union);
        Domains domains = new Domains(topology, all);
        List<CpuSet> nodes = domains.numaDomains().stream().map(HostPart::cpus).toList();
        List<CpuSet> packages = domains.packages().stream().map(HostPart::cpus).toList();
        boolean looser = caches.stream()
                .anyMatch(cache ->
                        nodes.stream().filter(node -> node.intersects(cache)).count() > 1);
        if (caches.size() == 1) {
            notes.add("there is one L3 cache: level l3 gives every thread the same CPUs");
        } else if (looser) {
            notes.add("an L3 cache holds CPUs of several NUMA nodes: level numa is tighter than l3 here");
        } else if (caches.equals(nodes)) {
            notes.add("each NUMA node has one L3 cache: level l3 gives the CPUs of level numa");
        } else if (caches.equals(packages)) {
            notes.add("each package has one L3 cache: level l3 gives the CPUs of level package");
        }
    }

    private void noteSizes() {
        Map<Long, List<Integer>> bySize = new LinkedHashMap<>();
        parts.stream()
                .sorted(CachePart.BEST_FIRST)
                .forEach(part -> bySize.computeIfAbsent(part.sizeBytes(), key -> new ArrayList<>())
                        .addAll(part.domain().logicalIndexes()));
        if (bySize.size() > 1) {
            String list = bySize.entrySet().stream()
                    .map(entry -> Bytes.text(entry.getKey()) + ": "
                            + HostPart.label(
                                    "L3 cache",
                                    entry.getValue().stream()
                                            .distinct()
                                            .sorted()
                                            .toList()))
                    .collect(Collectors.joining("; "));
            notes.add("L3 caches differ in size, larger ones are taken first: " + list);
        }
    }

    private List<Integer> nodesOf(TopologyObject pu) {
        return topology.objects(ObjectType.NUMA_NODE).stream()
                .filter(node -> node.cpuSet().contains(pu.osIndex()))
                .map(TopologyObject::logicalIndex)
                .toList();
    }

    private static int packageOf(TopologyObject pu) {
        return pu.ancestor(ObjectType.PACKAGE).map(TopologyObject::logicalIndex).orElse(-1);
    }
}
