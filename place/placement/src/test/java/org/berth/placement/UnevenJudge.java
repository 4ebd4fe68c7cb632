package org.berth.placement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * Judges a plan by the sentence "never two threads on a core (PU) while another allowed one is free, never looser than asked when it
 * fits", by counting. It reads the CPU sets of cores, caches, nodes and packages, and knows nothing of how plans are made.
 */
final class UnevenJudge {
    private final Topology machine;
    private final PlacementRequest request;
    private final PlacementPlan plan;
    private final CpuSet allowed;
    private final int threads;
    /** How many threads have the same CPUs, and the CPUs of each worker: counted once. */
    private final Map<CpuSet, Integer> bound = new HashMap<>();

    private final List<CpuSet> workers = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    private UnevenJudge(Topology machine, CpuSet allowed, PlacementRequest request, PlacementPlan plan) {
        this.machine = machine;
        this.allowed = allowed;
        this.request = request;
        this.plan = plan;
        this.threads = request.workers() * request.threadsPerWorker();
        for (Slot slot : plan.slots()) {
            bound.merge(slot.cpus(), 1, Integer::sum);
            if (slot.thread() == 0) {
                workers.add(slot.cpus());
            } else {
                workers.set(slot.worker(), workers.get(slot.worker()).union(slot.cpus()));
            }
        }
    }

    /** What is wrong with a plan of a level; empty when nothing is. */
    static List<String> ofLevel(Topology machine, PlacementRequest request, PlacementPlan plan) {
        UnevenJudge judge = new UnevenJudge(machine, machine.allowedCpuSet(), request, plan);
        judge.judgeLevel();
        return judge.faults;
    }

    /** What is wrong with a plan near a device, whose policy may use these CPUs. */
    static List<String> ofDevice(
            Topology machine, CpuSet usable, DevicePolicy policy, PlacementRequest request, PlacementPlan plan) {
        UnevenJudge judge = new UnevenJudge(machine, usable, request, plan);
        judge.judgeDevice(policy);
        return judge.faults;
    }

    private void judgeLevel() {
        List<CpuSet> pus = allowed.stream().mapToObj(CpuSet::of).toList();
        List<CpuSet> cores = filledUp(ObjectType.CORE, pus);
        List<CpuSet> packages = filledUp(ObjectType.PACKAGE, List.of(allowed));
        inside(List.of(allowed), "the allowed CPUs");
        switch (request.level()) {
            case NONE -> {}
            case NUMA -> judgeNodes();
            case PACKAGE -> {
                inside(packages, "one package");
                roaming(packages);
                together(packages, sizes(packages), "package");
            }
            case L3 -> {
                List<CpuSet> caches = caches();
                inside(caches, "one L3 cache");
                roaming(caches);
                if (request.order() == ThreadOrder.PACK) {
                    together(caches, sizes(caches), "L3 cache");
                }
                together(places(caches), sizes(places(caches)), "node");
            }
            case CORE -> {
                inside(cores, "one core");
                apart(cores, "core");
                evenly(cores, "core");
                together(packages, counts(packages, cores), "package");
            }
            case PU -> {
                inside(pus, "one PU");
                apart(cores, "core");
                apart(pus, "PU");
                evenly(pus, "PU");
                together(packages, counts(packages, cores), "package");
            }
        }
    }

    /** What no node holds is used only when the nodes have too few CPUs. */
    private void judgeNodes() {
        Map<List<Integer>, CpuSet> near = new HashMap<>();
        for (int cpu : allowed.toArray()) {
            List<Integer> nodes = nodes(cpu);
            near.merge(nodes, CpuSet.of(cpu), CpuSet::union);
        }
        List<CpuSet> parts = new ArrayList<>(near.values());
        CpuSet nodeless = near.getOrDefault(List.<Integer>of(), CpuSet.empty());
        if (parts.size() > 1 && threads <= allowed.size() - nodeless.size()) {
            parts.remove(nodeless);
        }
        inside(parts, "one node");
        roaming(parts);
        together(parts, sizes(parts), "node");
    }

    private void judgeDevice(DevicePolicy policy) {
        List<CpuSet> pus = allowed.stream().mapToObj(CpuSet::of).toList();
        List<CpuSet> cores = filledUp(ObjectType.CORE, pus);
        inside(List.of(allowed), "the CPUs of the policy");
        switch (policy) {
            case O2ACS -> {}
            case O2OCS, O2OCC -> {
                inside(cores, "one core");
                apart(cores, "core");
                evenly(cores, "core");
            }
            case O2NTS, O2NTC -> apart(pus, "PU");
        }
    }

    /** Looser than asked: a slot with CPUs of several units. */
    private void inside(List<CpuSet> units, String what) {
        for (CpuSet slot : bound.keySet()) {
            if (slot.isEmpty() || units.stream().noneMatch(unit -> unit.containsAll(slot))) {
                faults.add("a slot with CPUs " + slot + " is not inside " + what);
            }
        }
    }

    /** Two threads on a unit while another one has none. */
    private void apart(List<CpuSet> units, String what) {
        int[] loads = loads(units);
        int most = 0;
        int least = 0;
        for (int i = 0; i < loads.length; i++) {
            most = loads[i] > loads[most] ? i : most;
            least = loads[i] < loads[least] ? i : least;
        }
        if (loads[most] > 1 && loads[least] == 0) {
            faults.add("%d threads on the %s of CPUs %s while that of CPUs %s is free"
                    .formatted(loads[most], what, units.get(most), units.get(least)));
        }
    }

    /** Far more threads on one unit than on others, when all have some. */
    private void evenly(List<CpuSet> units, String what) {
        int[] loads = loads(units);
        for (int i = 0; i < loads.length; i++) {
            if (loads[i] > 1 && loads[i] > (2L * threads + units.size() - 1) / units.size()) {
                faults.add("%d threads on the %s of CPUs %s, with %d threads for %d"
                        .formatted(loads[i], what, units.get(i), threads, units.size()));
            }
        }
    }

    private int[] loads(List<CpuSet> units) {
        return units.stream()
                .mapToInt(unit -> bound.entrySet().stream()
                        .filter(slot -> unit.intersects(slot.getKey()))
                        .mapToInt(Map.Entry::getValue)
                        .sum())
                .toArray();
    }

    /** Threads that roam in parts: none has more of them than CPUs while another has a CPU without one. */
    private void roaming(List<CpuSet> parts) {
        int[] loads = loads(parts);
        boolean over = false;
        boolean free = false;
        for (int i = 0; i < loads.length; i++) {
            int size = parts.get(i).size();
            over |= loads[i] > size;
            free |= loads[i] < size;
            if (loads[i] > size && loads[i] > (2L * threads + allowed.size() - 1) / allowed.size() * size) {
                faults.add("%d threads on the CPUs %s, with %d threads for %d CPUs"
                        .formatted(loads[i], parts.get(i), threads, allowed.size()));
            }
        }
        if (over && free) {
            faults.add("threads of one part share its CPUs while CPUs of another one are free: " + parts);
        }
    }

    /** Looser than asked: a worker in several parts although so many fit; and no word of it. */
    private void together(List<CpuSet> parts, int[] room, String what) {
        int all = 0;
        int fitting = 0;
        for (int one : room) {
            all += one;
            fitting += one / request.threadsPerWorker();
        }
        int whole = 0;
        for (CpuSet own : workers) {
            whole += parts.stream().anyMatch(part -> part.containsAll(own)) ? 1 : 0;
        }
        if (threads <= all && whole < Math.min(fitting, request.workers())) {
            faults.add("%d of %d workers are in one %s, and %d would fit"
                    .formatted(whole, request.workers(), what, fitting));
        }
        boolean said = plan.notes().stream()
                .anyMatch(note -> note.contains("in more than one ") || note.contains("L3 caches of others follow"));
        if (whole < request.workers() && !said && !what.equals("L3 cache")) {
            faults.add("a worker is in several " + what + "s, and no note says so");
        }
    }

    private static int[] sizes(List<CpuSet> sets) {
        return sets.stream().mapToInt(CpuSet::size).toArray();
    }

    private static int[] counts(List<CpuSet> parts, List<CpuSet> units) {
        return parts.stream()
                .mapToInt(part -> (int) units.stream().filter(part::containsAll).count())
                .toArray();
    }

    /** The allowed CPUs of each object, and what no object of the type holds. */
    private List<CpuSet> filledUp(ObjectType type, List<CpuSet> otherwise) {
        List<CpuSet> sets = new ArrayList<>();
        CpuSet rest = allowed;
        for (TopologyObject object : machine.objects(type)) {
            CpuSet own = object.cpuSet().intersection(allowed);
            if (!own.isEmpty()) {
                sets.add(own);
                rest = rest.minus(own);
            }
        }
        for (CpuSet other : otherwise) {
            if (other.intersects(rest)) {
                sets.add(other.intersection(rest));
            }
        }
        return sets;
    }

    private List<Integer> nodes(int cpu) {
        return machine.objects(ObjectType.NUMA_NODE).stream()
                .filter(node -> node.cpuSet().contains(cpu))
                .map(TopologyObject::logicalIndex)
                .toList();
    }

    /** The CPUs of each L3 cache; without one, of the package and nodes. */
    private List<CpuSet> caches() {
        Map<String, CpuSet> sets = new TreeMap<>();
        for (int cpu : allowed.toArray()) {
            String cache = holders(ObjectType.L3_CACHE, cpu).toString();
            sets.merge(
                    cache.equals("[]") ? holders(ObjectType.PACKAGE, cpu) + " " + nodes(cpu) : cache,
                    CpuSet.of(cpu),
                    CpuSet::union);
        }
        return List.copyOf(sets.values());
    }

    private List<Integer> holders(ObjectType type, int cpu) {
        return machine.objects(type).stream()
                .filter(object -> object.cpuSet().contains(cpu))
                .map(TopologyObject::logicalIndex)
                .toList();
    }

    /** Caches of one package with CPUs of the same nodes. */
    private List<CpuSet> places(Collection<CpuSet> caches) {
        Map<String, CpuSet> sets = new TreeMap<>();
        for (CpuSet cache : caches) {
            List<Integer> near = cache.stream()
                    .mapToObj(this::nodes)
                    .flatMap(List::stream)
                    .distinct()
                    .sorted()
                    .toList();
            sets.merge(holders(ObjectType.PACKAGE, cache.first()) + " " + near, cache, CpuSet::union);
        }
        return List.copyOf(sets.values());
    }
}
