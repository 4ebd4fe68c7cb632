package org.berth.placement.internal.shape;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.berth.placement.PlacementException;
import org.berth.placement.internal.parts.HostPart;
import org.berth.placement.internal.policy.Domains;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/** Cuts the usable CPUs of a machine into the pieces of a {@link HostShape}. It is not part of the API. */
public final class ShapeCutter {
    private final Topology topology;
    private final CpuSet usable;
    private final List<TopologyObject> pus;
    private final List<Piece> pieces = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    public ShapeCutter(Topology topology, CpuSet usable) {
        this.topology = topology;
        this.usable = usable;
        this.pus = topology.objects(ObjectType.PU).stream()
                .filter(pu -> usable.contains(pu.osIndex()))
                .toList();
    }

    /** One piece, with the number of its cores and the reason for it. */
    public record Piece(CpuSet cpus, int cores, String reason) {}

    List<String> notes() {
        return notes;
    }

    public List<Piece> cut(Division into) {
        switch (into.kind()) {
            case L3 -> cutByCache();
            case NUMA -> addDomains(true);
            case PACKAGE -> addDomains(false);
            case COUNT -> cutByCount(into.count());
        }
        return pieces;
    }

    private void cutByCache() {
        Map<Optional<TopologyObject>, List<TopologyObject>> groups = groups(pus, this::cacheOf);
        List<TopologyObject> without = groups.remove(Optional.<TopologyObject>empty());
        if (groups.isEmpty()) {
            throw new PlacementException("the description of this machine names no L3 cache for the CPUs " + usable
                    + ": divide it into numa, package, or a number of parts");
        }
        groups.values().forEach(this::add);
        if (groups.size() == 1) {
            notes.add("all usable CPUs share one L3 cache: there is one part");
        }
        if (without != null) {
            CpuSet cpus = HostPart.cpusOf(without);
            notes.add(
                    "no L3 cache holds " + HostPart.pus(cpus) + ": no part has " + (cpus.size() == 1 ? "it" : "them"));
        }
    }

    private void addDomains(boolean nodes) {
        Domains domains = new Domains(topology, usable);
        for (HostPart domain : nodes ? domains.numaDomains() : domains.packages()) {
            add(pus.stream().filter(pu -> domain.cpus().contains(pu.osIndex())).toList());
        }
        notes.addAll(domains.notes());
        if (pieces.size() == 1) {
            notes.add("all usable CPUs are in one " + (nodes ? "NUMA node" : "package") + ": there is one part");
        }
    }

    private void cutByCount(int count) {
        if (count > pus.size()) {
            throw new PlacementException("cannot make " + count + " parts of the "
                    + Words.count(pus.size(), "usable PU") + " " + usable + ": ask for " + pus.size() + " at most");
        }
        divide(pus, count, 0);
        int least = pieces.stream().mapToInt(Piece::cores).min().orElseThrow();
        int largest = pieces.stream().mapToInt(Piece::cores).max().orElseThrow();
        if (largest > least + 1) {
            notes.add("the parts have " + least + " to " + largest
                    + " cores, because no part crosses a NUMA node or package" + " that another part is in");
        }
        if (pieces.stream().mapToInt(Piece::cores).sum() > cores(pus).size()) {
            notes.add("there are more parts than cores: some parts share a core, each with PUs of its own");
        }
    }

    /** Packages (0), then their nodes (1), then the caches (2) and cores in these. */
    private void divide(List<TopologyObject> members, int count, int depth) {
        if (count == 1) {
            add(members);
            return;
        }
        if (depth == 3) {
            cutCores(members, count);
            return;
        }
        List<List<TopologyObject>> groups = List.copyOf(
                switch (depth) {
                    case 0 ->
                        groups(members, pu -> pu.ancestor(ObjectType.PACKAGE)).values();
                    case 1 -> groups(members, this::nodesOf).values();
                    default -> groups(members, this::cacheOf).values();
                });
        boolean even = count % groups.size() == 0 || groups.size() % count == 0;
        if (groups.size() == 1 || (depth == 2 && !(even && sameSizes(groups)))) {
            divide(members, count, depth + 1);
        } else if (count >= groups.size()) {
            int[] shares = shares(groups, count);
            for (int i = 0; i < groups.size(); i++) {
                divide(groups.get(i), shares[i], depth + 1);
            }
        } else {
            for (int i = 0; i < count; i++) {
                List<TopologyObject> together = new ArrayList<>();
                groups.subList(i * groups.size() / count, (i + 1) * groups.size() / count)
                        .forEach(together::addAll);
                add(together);
            }
        }
    }

    /** How many parts each group gets: each further one goes where the parts are largest. */
    private static int[] shares(List<List<TopologyObject>> groups, int count) {
        int[] shares = new int[groups.size()];
        int[] cores = groups.stream().mapToInt(group -> cores(group).size()).toArray();
        for (int given = 0; given < count; given++) {
            int best = -1;
            for (int i = 0; i < shares.length; i++) {
                boolean room = shares[i] < groups.get(i).size();
                // cores / shares, compared without a division; no share yet is infinitely much.
                if (room && (best < 0 || (long) cores[i] * shares[best] > (long) cores[best] * shares[i])) {
                    best = i;
                }
            }
            shares[best]++;
        }
        return shares;
    }

    private void cutCores(List<TopologyObject> members, int count) {
        List<List<TopologyObject>> units = cores(members);
        if (units.size() < count) {
            units = members.stream().map(List::of).toList();
        }
        for (int i = 0; i < count; i++) {
            List<TopologyObject> together = new ArrayList<>();
            units.subList(i * units.size() / count, (i + 1) * units.size() / count)
                    .forEach(together::addAll);
            add(together);
        }
    }

    private static boolean sameSizes(List<List<TopologyObject>> groups) {
        return groups.stream().mapToInt(group -> cores(group).size()).distinct().count() == 1;
    }

    private void add(List<TopologyObject> members) {
        CpuSet cpus = HostPart.cpusOf(members);
        int cores = cores(members).size();
        pieces.add(new Piece(cpus, cores, reason(members, cpus, cores)));
    }

    /** "8 cores (PUs 0-15) of L3 L#0, NUMA node L#0, package L#0". */
    private String reason(List<TopologyObject> members, CpuSet cpus, int cores) {
        List<String> places = new ArrayList<>();
        addPlace(places, "L3", indexes(members, this::cacheOf));
        TreeSet<Integer> nodes = new TreeSet<>();
        members.forEach(pu -> nodes.addAll(nodesOf(pu)));
        addPlace(places, "NUMA node", nodes);
        addPlace(places, "package", indexes(members, pu -> pu.ancestor(ObjectType.PACKAGE)));
        String place = places.isEmpty() ? "this machine" : String.join(", ", places);
        return Words.count(cores, "core") + " (" + HostPart.pus(cpus) + ") of " + place;
    }

    private static void addPlace(List<String> places, String noun, Set<Integer> logicalIndexes) {
        if (!logicalIndexes.isEmpty()) {
            places.add(HostPart.label(noun, List.copyOf(logicalIndexes)));
        }
    }

    private static Set<Integer> indexes(
            List<TopologyObject> members, Function<TopologyObject, Optional<TopologyObject>> place) {
        TreeSet<Integer> indexes = new TreeSet<>();
        members.forEach(pu -> place.apply(pu).ifPresent(object -> indexes.add(object.logicalIndex())));
        return indexes;
    }

    private Optional<TopologyObject> cacheOf(TopologyObject pu) {
        return pu.ancestor(ObjectType.L3_CACHE);
    }

    private List<Integer> nodesOf(TopologyObject pu) {
        return topology.objects(ObjectType.NUMA_NODE).stream()
                .filter(node -> node.cpuSet().contains(pu.osIndex()))
                .map(TopologyObject::logicalIndex)
                .toList();
    }

    /** A PU without a core counts as one. */
    private static List<List<TopologyObject>> cores(List<TopologyObject> members) {
        return List.copyOf(
                groups(members, pu -> pu.ancestor(ObjectType.CORE).orElse(pu)).values());
    }

    private static <K> Map<K, List<TopologyObject>> groups(
            List<TopologyObject> members, Function<TopologyObject, K> place) {
        Map<K, List<TopologyObject>> groups = new LinkedHashMap<>();
        members.forEach(pu -> groups.computeIfAbsent(place.apply(pu), key -> new ArrayList<>())
                .add(pu));
        return groups;
    }
}
