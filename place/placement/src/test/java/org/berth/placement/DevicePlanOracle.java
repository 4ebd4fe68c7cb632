package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.topology.CpuSet;
import org.berth.topology.Distances;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * Checks a plan near a device from the CPU sets of the machine's objects alone. Which CPUs are near is told to it: by who
 * put the device there.
 */
final class DevicePlanOracle {
    private final Topology machine;
    private final CpuSet near;
    private final DevicePolicy policy;
    private final PlacementRequest request;
    private final PlacementPlan plan;
    private final CpuSet usable;
    private final List<TopologyObject> objects = new ArrayList<>();
    private final List<CpuSet> cores;
    /** How many threads each choice has, in the order of the choices. */
    private final Map<CpuSet, Integer> threads = new LinkedHashMap<>();

    DevicePlanOracle(Topology machine, CpuSet near, DevicePolicy policy, PlacementRequest request, PlacementPlan plan) {
        this.machine = machine;
        this.near = near;
        this.policy = policy;
        this.request = request;
        this.plan = plan;
        this.usable = policy.staysNear() ? near.intersection(machine.allowedCpuSet()) : machine.allowedCpuSet();
        for (int depth = 0; depth < machine.depth(); depth++) {
            objects.addAll(machine.level(depth));
        }
        this.cores = cores(usable);
        plan.slots().forEach(slot -> threads.merge(slot.cpus(), 1, Integer::sum));
    }

    void check(int askedHardwareThreads) {
        assertThat((Object) plan.allowed()).isEqualTo(usable);
        assertThat(plan.slots()).hasSize(request.workers() * request.threadsPerWorker());
        plan.slots().forEach(slot -> assertThat(usable.containsAll(slot.cpus())).isTrue());
        checkTurns();
        checkSharing();
        int count = askedHardwareThreads > 0 ? askedHardwareThreads : defaultHardwareThreads();
        switch (policy) {
            case O2ACS -> assertThat(threads.keySet()).containsExactly(usable);
            case O2OCS, O2OCC -> checkCores();
            case O2NTS, O2NTC -> checkGroups(count);
        }
        if (!policy.staysNear()) {
            checkOrder();
        }
        checkWords(count);
        PlanOracle.checkMemory(machine, plan);
    }

    /** Thread by thread, worker after worker, over the same choices again and again. */
    private void checkTurns() {
        List<CpuSet> choices = List.copyOf(threads.keySet());
        for (Slot slot : plan.slots()) {
            assertThat((Object) slot.cpus()).isEqualTo(choices.get(slot.index() % choices.size()));
        }
        int together = threads.keySet().stream().mapToInt(CpuSet::size).sum();
        assertThat(plan.cpus().size()).as("choices are disjoint").isEqualTo(together);
    }

    private void checkSharing() {
        boolean crowded = threads.entrySet().stream()
                .anyMatch(choice -> choice.getValue()
                        > (policy == DevicePolicy.O2ACS ? choice.getKey().size() : 1));
        assertThat(plan.oversubscribed()).isEqualTo(crowded);
        assertThat(plan.notes().stream().anyMatch(note -> note.contains(" share ") && note.contains("threads share")))
                .isEqualTo(crowded);
        assertThat(plan.slots().stream().anyMatch(slot -> slot.reason().contains("shared by")))
                .isEqualTo(crowded);
    }

    private void checkCores() {
        assertThat(threads.keySet()).isSubsetOf(cores);
        assertThat(threads).hasSize(Math.min(plan.slots().size(), cores.size()));
    }

    private void checkGroups(int count) {
        for (CpuSet group : threads.keySet()) {
            assertThat(group.size()).isLessThanOrEqualTo(count);
            if (saidToBeRests().containsAll(group)) {
                continue;
            }
            for (TopologyObject object : objects) {
                CpuSet cpus = object.cpuSet();
                boolean torn = cpus.size() >= count && cpus.intersects(group) && !cpus.containsAll(group);
                assertThat(torn).as("group %s reaches beyond %s", group, object).isFalse();
                if (group.size() < count && object.type() == ObjectType.CORE && cpus.size() >= count) {
                    boolean all = !cpus.intersects(group) || group.containsAll(cpus.intersection(usable));
                    assertThat(all)
                            .as("group %s takes all it can of %s", group, object)
                            .isTrue();
                }
            }
        }
        if (plan.slots().size() > usable.size()) {
            assertThat((Object) plan.cpus()).isEqualTo(usable);
        }
    }

    /** What is left in addition to the groups: smaller, and after all of these. */
    private CpuSet saidToBeRests() {
        CpuSet said = CpuSet.empty();
        for (String note : plan.notes()) {
            int end = note.indexOf(" in smaller groups, taken last");
            if (end > 0) {
                said = said.union(CpuSet.parseList(note.substring(note.lastIndexOf(' ', end - 1) + 1, end)));
            }
        }
        return said;
    }

    /** Near choices, then the others by the distance of the firmware. */
    private void checkOrder() {
        long before = -1;
        boolean rests = false;
        for (CpuSet choice : threads.keySet()) {
            long distance = near.containsAll(choice) ? 0 : 1 + distance(choice);
            boolean rest = saidToBeRests().containsAll(choice);
            assertThat(rests && !rest).as("%s after a rest", choice).isFalse();
            before = rest && !rests ? -1 : before;
            rests = rest;
            assertThat(distance).as("distance of %s", choice).isGreaterThanOrEqualTo(before);
            before = distance;
        }
    }

    private long distance(CpuSet choice) {
        List<Distances> latencies = machine.distances(ObjectType.NUMA_NODE).stream()
                .filter(Distances::isLatency)
                .toList();
        if (latencies.isEmpty()) {
            return 0;
        }
        long nearest = Long.MAX_VALUE;
        for (TopologyObject from : latencies.get(0).objects()) {
            for (TopologyObject to : latencies.get(0).objects()) {
                if (from.cpuSet().intersects(near) && to.cpuSet().intersects(choice)) {
                    nearest = Math.min(nearest, latencies.get(0).value(from, to));
                }
            }
        }
        return nearest == Long.MAX_VALUE ? 0 : nearest;
    }

    private void checkWords(int count) {
        assertThat(plan.notes()).anyMatch(note -> note.startsWith("policy " + policy.word() + ": "));
        assertThat(plan.notes().stream().anyMatch(note -> note.contains("equally near to every CPU")))
                .isEqualTo(near.containsAll(machine.cpuSet()));
        boolean counts = policy == DevicePolicy.O2NTS || policy == DevicePolicy.O2NTC;
        assertThat(plan.notes().stream().anyMatch(note -> note.startsWith("PUs for each thread: " + count + ", ")))
                .isEqualTo(counts);
        AffinityLevel level = policy == DevicePolicy.O2ACS
                ? AffinityLevel.PACKAGE
                : counts && count == 1 ? AffinityLevel.PU : AffinityLevel.CORE;
        assertThat(plan.level()).isEqualTo(level);
        for (Slot slot : plan.slots()) {
            String where = near.containsAll(slot.cpus()) ? ", near ib0" : ", away from ib0";
            assertThat(slot.reason()).startsWith(policy.word() + ": ").contains(where);
        }
    }

    /** Decides by the sizes of sets alone: a core of 2 to 4, half of a wider one, a small cluster of single ones. */
    private int defaultHardwareThreads() {
        CpuSet here = near.intersects(usable) ? near.intersection(usable) : usable;
        List<CpuSet> whole = whole(ObjectType.CORE, here);
        int widest = whole.stream().mapToInt(CpuSet::size).max().orElse(1);
        if (widest > 1) {
            return widest > 4 && widest % 2 == 0 ? widest / 2 : widest;
        }
        int largest = 1;
        for (CpuSet core : whole.isEmpty() ? whole(ObjectType.PU, here) : whole) {
            CpuSet around = objects.stream()
                    .map(TopologyObject::cpuSet)
                    .filter(cpus -> cpus.containsAll(core) && !cpus.equals(core))
                    .min(Comparator.comparingInt(CpuSet::size))
                    .orElse(core);
            boolean cluster = objects.stream()
                    .filter(object -> object.cpuSet().equals(around))
                    .anyMatch(object ->
                            object.type() == ObjectType.GROUP || object.type().isCache());
            boolean few = around.size() <= 8
                    && !around.containsAll(here)
                    && machine.objects(ObjectType.PACKAGE).stream()
                            .map(TopologyObject::cpuSet)
                            .noneMatch(socket -> !socket.isEmpty() && around.containsAll(socket));
            largest = cluster && few ? Math.max(largest, around.size()) : largest;
        }
        return largest;
    }

    private List<CpuSet> whole(ObjectType type, CpuSet here) {
        return machine.objects(type).stream()
                .map(TopologyObject::cpuSet)
                .filter(here::intersects)
                .toList();
    }

    private List<CpuSet> cores(CpuSet cpus) {
        List<CpuSet> sets = new ArrayList<>();
        CpuSet rest = cpus;
        for (CpuSet core : whole(ObjectType.CORE, cpus)) {
            sets.add(core.intersection(cpus));
            rest = rest.minus(core);
        }
        rest.stream().forEach(pu -> sets.add(CpuSet.of(pu)));
        return sets;
    }
}
