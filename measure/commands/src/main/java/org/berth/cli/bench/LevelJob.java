package org.berth.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.berth.cli.bench.jobs.Job;
import org.berth.cli.bench.jobs.JobArms;
import org.berth.cli.bench.jobs.JobRun;
import org.berth.cli.compare.Work;
import org.berth.cli.compare.arms.CommandArms;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.arms.ExtraArms;
import org.berth.cli.compare.arms.LevelChoice;
import org.berth.cli.compare.arms.PreparedComparison;
import org.berth.cli.run.LaunchPlanner;
import org.berth.experiments.Experiment;
import org.berth.topology.Topology;

/**
 * A job whose threads or tasks are bound by level.
 *
 * @param more arms besides the levels
 * @param options of the job itself
 */
record LevelJob(
        Job job,
        LevelChoice levels,
        Optional<Integer> threads,
        Optional<Path> input,
        Optional<String> scale,
        ExtraArms more,
        List<String> options)
        implements Work {
    @Override
    public CompareArms arms(Topology topology) {
        CompareArms arms = CompareArms.of(topology, levels.on(topology), threads, JobArms.rules(job));
        if (more.isEmpty()) {
            arms.requireTwo(topology, levels, "give --levels that differ on this machine");
        }
        return arms;
    }

    @Override
    public PreparedComparison comparison(
            Topology topology, CompareArms arms, Supplier<CompareFolder> folder, int rounds, PrintWriter err)
            throws IOException, InterruptedException {
        JobRun run = JobRun.prepare(job, input, arms.threads(), scale, options, err);
        JobArms.limits(job, topology).forEach(err::println);
        CompareFolder results = folder.get();
        CommandArms others = new CommandArms(topology, run.command(List.of()), true, results::planFile);
        others.add(more);
        others.notes().forEach(err::println);
        Experiment experiment = JobArms.experiment(
                run, arms, results, LaunchPlanner.ofAllWorkers(), topology.allowedCpuSet(), others.arms(), rounds);
        return new PreparedComparison(experiment, arms.withAbsent(others.absent()), results);
    }
}
