package org.berth.cli.bench.jobs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.run.LaunchPlanner;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.jobkit.JobEntry;
import org.berth.observation.internal.threads.ThreadNamePattern;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.ThreadRule;
import org.berth.spark.conf.SparkKeys;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** The arms of a job: its tasks or threads at each level. */
public final class JobArms {
    /** Spark would look up the name of this host, which can take seconds or fail. */
    public static final Map<String, String> SPARK = Map.of("SPARK_LOCAL_IP", "127.0.0.1");

    private JobArms() {}

    /** Rules for the threads of a job; Spark's plugin finds the tasks itself. */
    public static List<ThreadRule> rules(Job job) {
        return job.isOnSpark()
                ? List.of()
                : job.workerThreads().stream().map(ThreadRule::of).toList();
    }

    /** Limits of a comparison of this job on this machine, one line each. */
    public static List<String> limits(Job job, Topology topology) {
        NodeSet nodes = topology.nodesOf(topology.allowedCpuSet());
        if (job.kind() != JobEntry.Kind.MEMORY || nodes.size() > 1) {
            return List.of();
        }
        return List.of(
                "note: there is one memory node, so no level can bring memory nearer; arms may differ in the cores and"
                        + " caches that threads share");
    }

    /**
     * The experiment that runs a job at each level.
     *
     * @param others arms besides the levels
     */
    public static Experiment experiment(
            JobRun run,
            CompareArms arms,
            CompareFolder folder,
            LaunchPlanner planner,
            CpuSet allowed,
            List<Arm> others,
            int rounds) {
        List<ThreadNamePattern> workers = run.job().workers();
        boolean spark = run.job().isOnSpark();
        List<Arm> list = new ArrayList<>();
        arms.plans().forEach((level, plan) -> {
            Supplier<Path> file = () -> folder.planFile(plan, level.word());
            List<String> options = plan.level() == AffinityLevel.NONE
                    ? List.of()
                    : spark ? spark(plan, file, planner, allowed) : agent(plan, file, planner);
            list.add(new Arm(
                            level.word(),
                            run.command(options),
                            spark ? SPARK : Map.of(),
                            CompareArms.expectation(plan, workers))
                    .withBinding(plan.level() == AffinityLevel.NONE ? Arm.Binding.UNBOUND : Arm.Binding.BOUND));
        });
        others.forEach(arm -> list.add(arm.withEnvironment(spark ? SPARK : Map.of())));
        return of(run.job(), list).withRounds(rounds).withMetrics(run.job().metrics(run.options()));
    }

    /** A usage error when two arms have one name. */
    public static Experiment of(Job job, List<Arm> arms) {
        try {
            return Experiment.of(job.name(), arms).withWorkers(job.workers());
        } catch (IllegalArgumentException twoOfOneName) {
            throw CommandException.usage("--arm: " + twoOfOneName.getMessage() + "; give another name");
        }
    }

    private static List<String> spark(
            PlacementPlan plan, Supplier<Path> planFile, LaunchPlanner planner, CpuSet allowed) {
        Path file = planFile.get();
        List<String> options = new ArrayList<>();
        // The agent is needed only if the slots leave out some of the allowed CPUs.
        if (!plan.cpus().equals(allowed)) {
            options.add(planner.agentWord(plan, () -> file));
        }
        options.addAll(List.of("-D" + SparkKeys.PLUGINS + "=" + SparkKeys.PLUGIN, "-D" + SparkKeys.PLAN + "=" + file));
        return options;
    }

    private static List<String> agent(PlacementPlan plan, Supplier<Path> planFile, LaunchPlanner planner) {
        return List.of(planner.agentWord(plan, planFile));
    }
}
