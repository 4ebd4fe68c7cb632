package org.berth.cli.tune;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.berth.cli.compare.arms.Arms;
import org.berth.cli.compare.arms.UserArm;
import org.berth.cli.plan.Placement;
import org.berth.cli.run.PlannedRun;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.ThreadOrder;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/**
 * The candidates of a race.
 *
 * @param list the first one is {@code none}, the unbound command
 * @param dropped candidates that do not run, a line with the reason for each
 */
record TuneCandidates(List<TuneCandidate> list, List<String> dropped) {
    TuneCandidates {
        list = List.copyOf(list);
        dropped = List.copyOf(dropped);
    }

    /** The same and the user's own, which are not compared with the others. */
    TuneCandidates and(List<RunCandidate> more) {
        List<TuneCandidate> all = new ArrayList<>(list);
        all.addAll(more);
        return new TuneCandidates(all, dropped);
    }

    /** The same and others that do not run, a line with the reason for each. */
    TuneCandidates withDropped(List<String> more) {
        List<String> all = new ArrayList<>(dropped);
        all.addAll(more);
        return new TuneCandidates(list, all);
    }

    /**
     * Ways to bind one process that differ on a machine: levels, numbers of cores or PUs, and use of the second PUs of cores.
     * Candidates with the same CPUs count once. Pure.
     *
     * @param levels levels whose candidates race
     * @param threads counts for the levels core and pu; when empty, all cores of a package and half of them, and as many
     *     PUs as it has, as it has cores, and as half of these
     */
    static TuneCandidates of(
            Topology topology, List<OrderedLevel> levels, List<Integer> threads, List<String> command) {
        Arms<RunCandidate> arms = Arms.distinctBy(
                RunCandidate::cpus,
                arms(topology, levels, threads).stream()
                        .map(arm -> RunCandidate.of(arm, topology, command, Optional.empty()))
                        .toList());
        return new TuneCandidates(
                List.copyOf(arms.distinct()),
                arms.twins().stream()
                        .map(twin -> twin.arm().name() + ": same as "
                                + twin.first().name() + " on this machine (CPUs "
                                + twin.arm().cpus().orElseThrow() + ")")
                        .toList());
    }

    private static List<UserArm> arms(Topology topology, List<OrderedLevel> levels, List<Integer> threads) {
        int pus = most(topology, ObjectType.PU);
        int cores = most(topology, ObjectType.CORE);
        int half = (cores + 1) / 2;
        List<UserArm> arms = new ArrayList<>(List.of(unbound("none")));
        for (OrderedLevel level : levels) {
            switch (level.level()) {
                case NONE -> {}
                case NUMA, PACKAGE -> arms.add(arm(level.word(), Placement.of(level), 1));
                case L3 -> arms.add(cache(topology, level));
                case CORE -> counts(threads, cores, half).forEach(count -> arms.add(arm(level, count)));
                case PU -> {
                    counts(threads, pus, cores, half).forEach(count -> arms.add(arm(level, count)));
                    firstPus(topology)
                            .map(Placement.of(AffinityLevel.NONE)::withCpus)
                            .ifPresent(placement -> arms.add(arm("no-smt", placement, 1)));
                }
            }
        }
        return arms;
    }

    /** The command as it is. */
    static UserArm unbound(String name) {
        return arm(name, Placement.of(AffinityLevel.NONE), 1);
    }

    private static UserArm arm(OrderedLevel level, int count) {
        return arm(level.word() + "-" + count, Placement.of(level), count);
    }

    /**
     * One L3 cache; or as many cores of the caches in turn, which is what spreading means for a command that is bound as a
     * whole.
     */
    private static UserArm cache(Topology topology, OrderedLevel level) {
        if (level.order() == ThreadOrder.PACK) {
            return arm(level.word(), Placement.of(level), 1);
        }
        CpuSet cache =
                PlannedRun.of(Placement.of(AffinityLevel.L3), 1).plan(topology).cpus();
        int cores =
                Math.max(1, topology.objectsIntersecting(cache, ObjectType.CORE).size());
        return arm(level.word(), Placement.of(new OrderedLevel(AffinityLevel.CORE, level.order())), cores);
    }

    private static UserArm arm(String name, Placement placement, int threads) {
        return UserArm.of(name, PlannedRun.of(placement, threads));
    }

    private static Set<Integer> counts(List<Integer> given, Integer... usual) {
        return new LinkedHashSet<>(given.isEmpty() ? List.of(usual) : given);
    }

    /** The number of objects in the package that has most of them; a command never gets cores of two packages. */
    private static int most(Topology topology, ObjectType type) {
        CpuSet allowed = topology.allowedCpuSet();
        List<CpuSet> packages = topology.objectsIntersecting(allowed, ObjectType.PACKAGE).stream()
                .map(one -> one.cpuSet().intersection(allowed))
                .toList();
        return (packages.isEmpty() ? List.of(allowed) : packages)
                .stream()
                        .mapToInt(
                                cpus -> topology.objectsIntersecting(cpus, type).size())
                        .filter(count -> count > 0)
                        .max()
                        .orElse(1);
    }

    /** One PU of every core of the machine; empty where no core is known. */
    static Optional<CpuSet> firstPus(Topology topology) {
        CpuSet allowed = topology.allowedCpuSet();
        return topology.objectsIntersecting(allowed, ObjectType.CORE).stream()
                .map(core -> core.cpuSet().intersection(allowed))
                .map(cpus -> CpuSet.of(cpus.first()))
                .reduce(CpuSet::union);
    }
}
