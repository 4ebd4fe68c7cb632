package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.berth.topology.CpuSet;
import org.berth.topology.IndexSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/** Checks a plan against its request from the CPU sets of the machine's objects alone, knowing nothing of how it came about. */
final class PlanOracle {
    private final Topology machine;
    private final PlacementRequest request;
    private final PlacementPlan plan;
    private final CpuSet usable;
    private final List<CpuSet> packages;
    private final List<CpuSet> cores;

    PlanOracle(Topology machine, PlacementRequest request, PlacementPlan plan) {
        this.machine = machine;
        this.request = request;
        this.plan = plan;
        this.usable = machine.allowedCpuSet();
        this.packages = usableSets(ObjectType.PACKAGE, List.of(usable));
        this.cores =
                usableSets(ObjectType.CORE, usable.stream().mapToObj(CpuSet::of).toList());
    }

    void check() {
        checkCounts();
        checkLevel();
        checkWorkers();
        if (request.level() == AffinityLevel.L3) {
            new CacheOracle(machine, request, plan).check();
        }
        checkSharing();
        checkPusOfCores();
        checkMemory(machine, plan);
    }

    private void checkCounts() {
        assertThat(plan.level()).isEqualTo(request.level());
        assertSame(plan.allowed(), usable);
        assertThat(plan.workers()).isEqualTo(request.workers());
        assertThat(plan.slots()).hasSize(request.workers() * request.threadsPerWorker());
        for (int i = 0; i < plan.slots().size(); i++) {
            Slot slot = plan.slots().get(i);
            assertThat(slot.index()).isEqualTo(i);
            assertThat(slot.worker()).isEqualTo(i / request.threadsPerWorker());
            assertThat(slot.thread()).isEqualTo(i % request.threadsPerWorker());
            assertThat(usable.containsAll(slot.cpus())).isTrue();
        }
    }

    private void checkLevel() {
        List<CpuSet> nodes = usableSets(ObjectType.NUMA_NODE, List.of(usable));
        for (Slot slot : plan.slots()) {
            CpuSet cpus = slot.cpus();
            // Plain conditions: a failing assertion for every node that is not the one would take minutes.
            boolean respected = switch (request.level()) {
                case NONE -> cpus.equals(usable);
                case NUMA ->
                    nodes.stream().anyMatch(node -> node.containsAll(cpus))
                            // What no node holds, when the nodes have too few CPUs.
                            || (nodes.stream().noneMatch(cpus::intersects)
                                    && plan.slots().size()
                                            > nodes.stream()
                                                    .reduce(CpuSet.empty(), CpuSet::union)
                                                    .size());
                case PACKAGE -> packages.contains(cpus);
                case L3 -> true; // The oracle for caches asks for more.
                case CORE -> cores.contains(cpus);
                case PU -> cpus.size() == 1;
            };
            assertThat(respected).as("%s respects the level", slot).isTrue();
        }
    }

    /**
     * Unless the plan says that workers cross them, a worker stays in one package. Packages of one size get equally many workers, and
     * workers of a package equally many cores; what others get is for {@link UnevenJudge}.
     */
    private void checkWorkers() {
        if (request.level().compareTo(AffinityLevel.PACKAGE) < 0 || request.level() == AffinityLevel.L3) {
            return;
        }
        boolean crosses = plan.notes().stream().anyMatch(note -> note.contains("in more than one package: "));
        boolean alike = packages.stream()
                        .map(part -> cores.stream()
                                .filter(part::containsAll)
                                .map(CpuSet::size)
                                .sorted()
                                .toList())
                        .distinct()
                        .count()
                == 1;
        Map<CpuSet, List<Integer>> workersByPackage = new HashMap<>();
        packages.forEach(cpus -> workersByPackage.put(cpus, new ArrayList<>()));
        for (int worker = 0; worker < request.workers() && !crosses; worker++) {
            CpuSet part = holder(packages, plan.workerCpus(worker));
            workersByPackage.computeIfAbsent(part, key -> new ArrayList<>()).add(worker);
        }
        workersByPackage.forEach((part, workers) -> {
            int even = request.workers() / packages.size();
            if (crosses || !alike) {
                return;
            }
            assertThat(workers).hasSizeBetween(even, request.workers() % packages.size() == 0 ? even : even + 1);
            boolean oneSize = cores.stream().map(CpuSet::size).distinct().count() == 1;
            if (request.level() != AffinityLevel.PACKAGE && !workers.isEmpty() && oneSize) {
                checkGroups(part, workers);
            }
        });
    }

    private void checkGroups(CpuSet part, List<Integer> workers) {
        int coresHere = (int) cores.stream().filter(part::containsAll).count();
        int smallest = Math.max(1, coresHere / workers.size());
        // Workers for whose threads a group of whole cores has too few PUs have shares of PUs, which may reach into the
        // next core.
        int even = (coresHere + workers.size() - 1) / workers.size();
        int pus = coresHere / workers.size() * cores.get(0).size();
        boolean shares = request.level() == AffinityLevel.PU && pus < request.threadsPerWorker();
        int largest = workers.size() > coresHere ? 2 : shares ? even + 1 : even;
        for (int worker : workers) {
            long used = cores.stream()
                    .filter(core -> core.intersects(plan.workerCpus(worker)))
                    .count();
            int threads = request.threadsPerWorker();
            assertThat(used).isBetween((long) Math.min(smallest, threads), (long) Math.min(largest, threads));
        }
    }

    /** Threads share a core or PU only in plans that say so, and plans do not say so for nothing. */
    private void checkSharing() {
        Map<CpuSet, Integer> threads = new HashMap<>();
        plan.slots().forEach(slot -> threads.merge(slot.cpus(), 1, Integer::sum));
        boolean exclusive = request.level().compareTo(AffinityLevel.CORE) >= 0;
        boolean crowded = threads.entrySet().stream()
                .anyMatch(entry ->
                        entry.getValue() > (exclusive ? 1 : entry.getKey().size()));
        int disjointSize = threads.keySet().stream().mapToInt(CpuSet::size).sum();
        if (exclusive || request.level().compareTo(AffinityLevel.PACKAGE) >= 0) {
            assertThat(plan.cpus().size()).as("different slots are disjoint").isEqualTo(disjointSize);
        }
        boolean workersShareCore = request.level() == AffinityLevel.PU
                && cores.stream()
                        .anyMatch(core -> plan.slots().stream()
                                        .filter(slot -> core.containsAll(slot.cpus()))
                                        .map(Slot::worker)
                                        .distinct()
                                        .count()
                                > 1);
        assertThat(plan.oversubscribed()).isEqualTo(crowded || workersShareCore);
        assertThat(plan.notes().stream().anyMatch(note -> note.contains(" share ")))
                .isEqualTo(plan.oversubscribed());
        assertThat(plan.slots().stream().anyMatch(slot -> slot.reason().contains("shared by")))
                .isEqualTo(crowded);
    }

    /** Threads of a core share one of its PUs only when it has no PU without a thread. */
    private void checkPusOfCores() {
        if (request.level() != AffinityLevel.PU) {
            return;
        }
        for (CpuSet core : cores) {
            List<CpuSet> threads = plan.slots().stream()
                    .map(Slot::cpus)
                    .filter(core::containsAll)
                    .toList();
            assertThat(threads.stream().distinct())
                    .as("PUs in use of core %s", core)
                    .hasSize(Math.min(threads.size(), core.size()));
        }
    }

    static void checkMemory(Topology machine, PlacementPlan plan) {
        NodeSet allowed = machine.allowedNodeSet();
        for (Slot slot : plan.slots()) {
            NodeSet near = NodeSet.empty();
            for (int cpu : slot.cpus().toArray()) {
                TopologyObject own = null;
                for (TopologyObject node : machine.objects(ObjectType.NUMA_NODE)) {
                    if (node.cpuSet().contains(cpu) && (own == null || comesBefore(node, own))) {
                        own = node;
                    }
                }
                near = own != null && allowed.contains(own.osIndex()) ? near.with(own.osIndex()) : near;
            }
            assertSame(slot.memoryNodes(), near.isEmpty() ? allowed : near);
        }
    }

    /** Whether a CPU that is local to two nodes belongs to the first. */
    private static boolean comesBefore(TopologyObject node, TopologyObject other) {
        int cpus = node.cpuSet().size() - other.cpuSet().size();
        boolean dram = node.subtype().orElse("DRAM").equals("DRAM");
        boolean otherDram = other.subtype().orElse("DRAM").equals("DRAM");
        return cpus != 0 ? cpus < 0 : dram != otherDram ? dram : node.osIndex() < other.osIndex();
    }

    private List<CpuSet> usableSets(ObjectType type, List<CpuSet> otherwise) {
        List<CpuSet> sets = new ArrayList<>();
        CpuSet rest = usable;
        for (TopologyObject object : machine.objects(type)) {
            CpuSet set = object.cpuSet().intersection(usable);
            if (!set.isEmpty()) {
                sets.add(set);
                rest = rest.minus(set);
            }
        }
        // What lies in no object of the type is filled up as the plan's notes say.
        for (CpuSet set : otherwise) {
            CpuSet left = set.intersection(rest);
            if (!left.isEmpty() && (type != ObjectType.NUMA_NODE || sets.isEmpty())) {
                sets.add(left);
            }
        }
        return sets;
    }

    private static CpuSet holder(List<CpuSet> parts, CpuSet cpus) {
        return parts.stream().filter(part -> part.containsAll(cpus)).findFirst().orElseThrow();
    }

    private static <S extends IndexSet<S>> void assertSame(S actual, S expected) {
        assertThat((Object) actual).isEqualTo(expected);
    }
}
