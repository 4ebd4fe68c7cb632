package org.berth.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.berth.cli.bench.jobs.Job;
import org.berth.cli.bench.jobs.JobRun;
import org.berth.cli.bench.jobs.SettingArms;
import org.berth.cli.compare.Work;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.arms.PreparedComparison;
import org.berth.topology.Topology;

/**
 * A job on Spark whose arms are settings of the plugin.
 *
 * @param arms words of {@link SettingArms}
 * @param options of the job itself
 */
record SettingsJob(
        Job job,
        List<String> arms,
        Optional<Integer> threads,
        Optional<Path> input,
        Optional<String> scale,
        List<String> options)
        implements Work {
    /** No plans: the plugin chooses the slots. */
    @Override
    public CompareArms arms(Topology topology) {
        return new CompareArms(
                Map.of(), Map.of(), threads.orElse(topology.allowedCpuSet().size()), List.of());
    }

    @Override
    public PreparedComparison comparison(
            Topology topology, CompareArms plans, Supplier<CompareFolder> folder, int rounds, PrintWriter err)
            throws IOException, InterruptedException {
        JobRun run = JobRun.prepare(job, input, plans.threads(), scale, options, err);
        return new PreparedComparison(SettingArms.experiment(run, arms, rounds), plans, folder.get());
    }
}
