package org.berth.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.berth.cli.plan.DeviceChoice;
import org.berth.cli.plan.Placement;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.topology.Topology;

/**
 * A command that is the only worker of a plan.
 *
 * @param threads slots of the plan, at least 1
 * @param threadChoice the options for single threads
 */
public record PlannedRun(Placement placement, int threads, ThreadChoice threadChoice) implements RunRequest {
    private static final int ONE_WORKER = 1;

    /** A command without options for single threads. */
    public static PlannedRun of(Placement placement, int threads) {
        return new PlannedRun(placement, threads, ThreadChoice.none());
    }

    /**
     * A command that can be started.
     *
     * @param means how it is bound
     */
    public record Ready(PlacementPlan plan, LaunchPlanner.Means means, Launch launch) {}

    /** The plan for a machine; a usage error when the options for single threads name slots or CPUs outside of it. */
    public PlacementPlan plan(Topology topology) {
        PlacementPlan plan = placement.policy().plan(topology, placement.request(topology, ONE_WORKER, threads));
        threadChoice.require(plan.workerSlots(0).size(), plan.workerCpus(0));
        return plan;
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

    /** The options of {@code run} that give the same; those for single threads are not among them. */
    public List<String> options() {
        List<String> words = new ArrayList<>(placement.options());
        if (threads > 1 || placement.level().level().compareTo(AffinityLevel.CORE) >= 0) {
            words.addAll(2, List.of("--threads", Integer.toString(threads)));
        }
        return words;
    }

    /** "core", or "o2ocs near eth0". */
    String words() {
        return placement
                .device()
                .map(DeviceChoice::words)
                .orElseGet(() -> placement.level().word());
    }
}
