package org.berth.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.berth.cli.plan.DeviceChoice;
import org.berth.cli.plan.Placement;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.ThreadOrder;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/**
 * A command that is the only worker of a plan.
 *
 * @param threads slots of the plan, at least 1; empty for one, or with rules for as many as the CPUs have at the level
 * @param threadChoice the options for single threads
 */
public record PlannedRun(Placement placement, Optional<Integer> threads, ThreadChoice threadChoice)
        implements RunRequest {
    private static final int ONE_WORKER = 1;

    /** A command without options for single threads. */
    public static PlannedRun of(Placement placement, int threads) {
        return new PlannedRun(placement, Optional.of(threads), ThreadChoice.none());
    }

    /**
     * A command that can be started.
     *
     * @param means how it is bound
     */
    public record Ready(PlacementPlan plan, LaunchPlanner.Means means, Launch launch) {}

    /** The plan for a machine; a usage error when the options for single threads name slots or CPUs outside it. */
    public PlacementPlan plan(Topology topology) {
        PlacementRequest one = placement.request(topology, ONE_WORKER, 1);
        int count = threads.orElseGet(() -> hasRules() ? places(topology, one) : 1);
        PlacementPlan plan = placement.policy().plan(topology, one.withThreadsPerWorker(count));
        threadChoice.require(plan.workerSlots(0).size(), plan.workerCpus(0));
        return plan;
    }

    /** A note where the rules for threads change nothing, because each slot is all that the command has. */
    Optional<String> noteOnRules(PlacementPlan plan) {
        CpuSet all = plan.workerCpus(0);
        boolean equal =
                plan.workerSlots(0).stream().allMatch(slot -> slot.cpus().equals(all));
        return hasRules() && equal && all.size() > 1
                ? Optional.of("the rules for threads change nothing: " + words() + " gives every thread all CPUs of the"
                        + " command, " + all + "; choose --level core or pu, or leave --level out")
                : Optional.empty();
    }

    /** Whether rules name threads that get slots of their own. */
    boolean hasRules() {
        return !placement.rules().isEmpty() || threadChoice.hasRules();
    }

    /** How many threads can have a place of their own. */
    private int places(Topology topology, PlacementRequest request) {
        Set<ObjectType> parts = switch (placement.level().level()) {
            case PU -> Set.of(ObjectType.PU);
            case CORE -> Set.of(ObjectType.CORE);
            case L3 -> Set.of(ObjectType.L3_CACHE);
            default -> Set.of();
        };
        CpuSet cpus = PlacementPolicies.byLevel()
                .plan(topology, request.withLevel(AffinityLevel.NONE))
                .cpus();
        int count = parts.stream()
                .mapToInt(type -> topology.objectsIntersecting(cpus, type).size())
                .sum();
        return Math.max(count, 1);
    }

    /**
     * Plans the command and makes its launch.
     *
     * @param planFile writes the plan where the agent can read it; only called when needed
     */
    public Ready ready(
            Topology topology, boolean javaLauncher, List<String> command, Function<PlacementPlan, Path> planFile) {
        PlacementPlan plan = plan(topology);
        LaunchPlanner planner = LaunchPlanner.ofOneWorker(threadChoice.options(topology, plan.workerCpus(0)));
        boolean agent = LaunchPlanner.isForAgent(javaLauncher, command, planner.hasThreadSlots(plan));
        LaunchPlanner.Means means = planner.meansFor(plan, topology.allowedCpuSet(), agent);
        if (!placement.memory().isDefaultPolicy()) {
            return new Ready(plan, means, planner.launch(plan, means, command, () -> planFile.apply(plan)));
        }
        LaunchPlanner.Means helped = means == LaunchPlanner.Means.NOTHING ? LaunchPlanner.Means.EXEC : means;
        Launch launch = planner.launch(plan, helped, command, () -> planFile.apply(plan));
        return new Ready(plan, helped, launch.withDefaultPolicy());
    }

    /** The same on these CPUs only. */
    PlannedRun withCpus(CpuSet cpus) {
        return new PlannedRun(placement.withCpus(cpus), threads, threadChoice);
    }

    /** The options of {@code run} that give the same; those for single threads are not among them. */
    public List<String> options() {
        List<String> words = new ArrayList<>(placement.options());
        OrderedLevel level = placement.level();
        boolean onePart = level.level().compareTo(AffinityLevel.CORE) < 0 && level.order() == ThreadOrder.PACK;
        if (onePart && level.level() != AffinityLevel.NONE && isWhole()) {
            words.set(0, "--domain");
            words.set(1, level.level().word());
        } else if (level.level() != AffinityLevel.NONE || placement.device().isPresent()) {
            threads.or(() -> hasRules() ? Optional.empty() : Optional.of(1))
                    .ifPresent(count -> words.addAll(2, List.of("--threads", Integer.toString(count))));
        }
        return words;
    }

    /** Whether the command as a whole gets one part of the host, of any that it has. */
    private boolean isWhole() {
        return threads.equals(Optional.of(1))
                && !hasRules()
                && placement.device().isEmpty()
                && placement.cpus().isEmpty()
                && placement.near().isEmpty();
    }

    /** "core", or "o2ocs near eth0". */
    String words() {
        return placement
                .device()
                .map(DeviceChoice::words)
                .orElseGet(() -> placement.level().word());
    }
}
