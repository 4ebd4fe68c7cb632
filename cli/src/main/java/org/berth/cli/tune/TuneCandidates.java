package org.berth.cli.tune;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.berth.cli.compare.UserArm;
import org.berth.placement.AffinityLevel;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;

/**
 * The ways to run a command that a machine can tell apart: parts of it (levels), how many cores or PUs, and whether the
 * second PUs of cores are used. Two candidates that get the same CPUs are one. Pure.
 *
 * @param list the first one is {@code none}, the command as it is
 * @param same candidates that come to the same CPUs as another one, a line for each
 */
record TuneCandidates(List<TuneCandidate> list, List<String> same) {
    TuneCandidates {
        list = List.copyOf(list);
        same = List.copyOf(same);
    }

    /**
     * @param levels whose candidates race
     * @param threads counts for the levels core and pu; when empty, all cores of a package and half of them, and as many
     *     PUs as it has, as it has cores, and as half of these
     * @param more candidates that users wrote; these are not checked for being the same
     */
    static TuneCandidates of(Topology topology, List<AffinityLevel> levels, List<Integer> threads, List<UserArm> more) {
        List<TuneCandidate> list = new ArrayList<>();
        List<String> same = new ArrayList<>();
        for (String text : texts(topology, levels, threads)) {
            TuneCandidate candidate = TuneCandidate.of(UserArm.parse(text), topology);
            Optional<TuneCandidate> twin = list.stream()
                    .filter(earlier -> earlier.cpus().equals(candidate.cpus()))
                    .findFirst();
            if (twin.isPresent()) {
                same.add(candidate.name() + ": same as " + twin.get().name() + " on this machine (CPUs "
                        + candidate.cpus().orElseThrow() + ")");
            } else {
                list.add(candidate);
            }
        }
        more.forEach(arm -> list.add(TuneCandidate.of(arm, topology)));
        return new TuneCandidates(list, same);
    }

    /** As --arm takes them. */
    private static List<String> texts(Topology topology, List<AffinityLevel> levels, List<Integer> threads) {
        int pus = most(topology, ObjectType.PU);
        int cores = most(topology, ObjectType.CORE);
        int half = (cores + 1) / 2;
        List<String> texts = new ArrayList<>(List.of("none=--level none"));
        for (AffinityLevel level : levels) {
            switch (level) {
                case NONE -> {}
                case NUMA -> texts.add("numa=--level numa");
                case PACKAGE -> texts.add("package=--level package");
                case CORE -> counts(threads, cores, half).forEach(count -> texts.add(text("core", count)));
                case PU -> {
                    counts(threads, pus, cores, half).forEach(count -> texts.add(text("pu", count)));
                    firstPus(topology).ifPresent(cpus -> texts.add("no-smt=--level none --cpus " + cpus));
                }
            }
        }
        return texts;
    }

    private static String text(String level, int count) {
        return level + "-" + count + "=--level " + level + " --threads " + count;
    }

    private static Set<Integer> counts(List<Integer> given, Integer... usual) {
        return new LinkedHashSet<>(given.isEmpty() ? List.of(usual) : given);
    }

    /** Of the package that has most of them; a command never gets cores of two. */
    private static int most(Topology topology, ObjectType type) {
        CpuSet allowed = topology.allowedCpuSet();
        List<TopologyObject> packages = topology.objects(ObjectType.PACKAGE);
        List<CpuSet> places = packages.isEmpty()
                ? List.of(allowed)
                : packages.stream()
                        .map(one -> one.cpuSet().intersection(allowed))
                        .toList();
        return places.stream()
                .mapToInt(place -> (int) topology.objects(type).stream()
                        .filter(one -> one.cpuSet().intersects(place))
                        .count())
                .filter(count -> count > 0)
                .max()
                .orElse(1);
    }

    /** One PU of every core of the machine; empty where no core is known. */
    private static Optional<CpuSet> firstPus(Topology topology) {
        CpuSet allowed = topology.allowedCpuSet();
        return topology.objects(ObjectType.CORE).stream()
                .map(core -> core.cpuSet().intersection(allowed))
                .filter(cpus -> !cpus.isEmpty())
                .map(cpus -> CpuSet.of(cpus.first()))
                .reduce(CpuSet::union);
    }
}
