package org.berth.cli.run;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.ThreadOrder;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/** The part of the host that {@code --level} with {@code --threads} asks for, in the words of a lease. */
final class LeasedPart {
    private LeasedPart() {}

    /**
     * The kind of domain; empty where the command gets all CPUs that it may use.
     *
     * <p>A node, a package, a cache and a number of cores are chosen by the lease itself. Of other shapes, such as cores of all
     * caches in turn, the CPUs are chosen here among those that no lease holds, and the lease only keeps others away: of two commands
     * that start in the same moment both may choose the same ones.
     *
     * @param held the CPUs of all leases, read only when it is needed
     */
    static Optional<String> kind(PlannedRun run, Topology topology, Supplier<CpuSet> held) {
        PlacementPlan plan = run.plan(topology);
        CpuSet cpus = plan.workerCpus(0);
        if (cpus.equals(topology.allowedCpuSet())) {
            return Optional.empty();
        }
        OrderedLevel level = run.placement().level();
        Optional<String> chosen = level.order() != ThreadOrder.PACK
                ? Optional.empty()
                : switch (level.level()) {
                    case NUMA -> ofOne(topology, cpus, ObjectType.NUMA_NODE, "numa");
                    case PACKAGE -> ofOne(topology, cpus, ObjectType.PACKAGE, "package");
                    case L3 -> ofOne(topology, cpus, ObjectType.L3_CACHE, "l3");
                    case CORE ->
                        Optional.of("core:"
                                + topology.objectsIntersecting(cpus, ObjectType.CORE)
                                        .size());
                    default -> Optional.empty();
                };
        return chosen.or(() -> Optional.of("cpus:" + among(run, topology, plan, held.get())));
    }

    private static Optional<String> ofOne(Topology topology, CpuSet cpus, ObjectType type, String kind) {
        return topology.objectsIntersecting(cpus, type).size() == 1 ? Optional.of(kind) : Optional.empty();
    }

    private static CpuSet among(PlannedRun run, Topology topology, PlacementPlan anywhere, CpuSet held) {
        CpuSet free = topology.allowedCpuSet().minus(held);
        if (free.isEmpty()) {
            return anywhere.workerCpus(0);
        }
        PlacementPlan inside = run.withCpus(free).plan(topology);
        List<PlacementPlan> plans = List.of(inside, anywhere);
        return plans.stream()
                .filter(plan -> !plan.oversubscribed())
                .findFirst()
                .orElse(anywhere)
                .workerCpus(0);
    }
}
