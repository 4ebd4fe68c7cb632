package org.berth.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.berth.cli.bench.jobs.Job;
import org.berth.cli.bench.jobs.JobArms;
import org.berth.cli.bench.jobs.JobRun;
import org.berth.cli.compare.Work;
import org.berth.cli.compare.arms.BalanceArms;
import org.berth.cli.compare.arms.CommandArms;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.arms.ExtraArms;
import org.berth.cli.compare.arms.PreparedComparison;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Arm;
import org.berth.text.Words;
import org.berth.topology.Topology;

/**
 * A job in one process, which {@code --balance-or-bind} binds as a whole, as it does a command.
 *
 * @param threads by default one for each CPU of the bound arms, so that no arm has more of them than another one can
 * run
 * @param more the arms
 * @param options of the job itself
 */
record BalanceJob(
        Job job,
        Optional<Integer> threads,
        Optional<Path> input,
        Optional<String> scale,
        ExtraArms more,
        List<String> options)
        implements Work {
    @Override
    public CompareArms arms(Topology topology) {
        JobRun.requireBuilt(job); // before the settings of the kernel are looked at
        return CompareArms.none();
    }

    @Override
    public PreparedComparison comparison(
            Topology topology, CompareArms arms, Supplier<CompareFolder> folder, int rounds, PrintWriter err)
            throws IOException, InterruptedException {
        int cpus = BalanceArms.boundCpus(topology, more.balanceOrBind().orElseThrow());
        int count = threads.orElse(cpus);
        JobRun run = JobRun.prepare(job, input, count, scale, options, err);
        CompareFolder results = folder.get();
        CommandArms all = new CommandArms(topology, run.command(List.of()), true, results::planFile);
        all.add(more);
        notes(all, cpus, count, topology).forEach(err::println);
        if (all.arms().size() < 2) {
            throw CommandException.failure("nothing to compare: " + String.join("; ", all.absent()));
        }
        Map<String, String> environment = job.isOnSpark() ? JobArms.SPARK : Map.of();
        List<Arm> list =
                all.arms().stream().map(arm -> arm.withEnvironment(environment)).toList();
        return new PreparedComparison(
                JobArms.of(job, list).withRounds(rounds).withMetrics(job.metrics(run.options())),
                arms.withAbsent(all.absent()),
                results);
    }

    /** The note of the arms asks for fewer threads, which the job has anyway. */
    private List<String> notes(CommandArms all, int cpus, int count, Topology topology) {
        return threads.isEmpty() && cpus < topology.allowedCpuSet().size()
                ? List.of("note: the bound arms get " + cpus + " of "
                        + Words.count(topology.allowedCpuSet().size(), "CPU") + ", so the job has "
                        + Words.count(count, "thread")
                        + " in every arm (--threads gives another number); collector and compiler threads have more CPUs in"
                        + " the unbound arms")
                : all.notes();
    }
}
