package org.berth.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.berth.cli.bench.jobs.EngineArms;
import org.berth.cli.bench.jobs.Job;
import org.berth.cli.bench.jobs.JobRun;
import org.berth.cli.compare.Work;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.arms.PreparedComparison;
import org.berth.jobkit.EngineArm;
import org.berth.topology.Topology;

/**
 * A MapReduce job whose arms are engines.
 *
 * @param input the user's file, for a job that reads one
 * @param options of the job itself
 */
record EngineArmsJob(
        Job job, List<EngineArm> engines, Optional<Path> input, Optional<String> scale, List<String> options)
        implements Work {
    private static final int NO_THREADS = 0;

    /** No plans: engines bind their threads themselves. */
    @Override
    public CompareArms arms(Topology topology) {
        return CompareArms.none();
    }

    @Override
    public PreparedComparison comparison(
            Topology topology, CompareArms arms, Supplier<CompareFolder> folder, int rounds, PrintWriter err)
            throws IOException, InterruptedException {
        JobRun run = JobRun.prepare(job, input, NO_THREADS, scale, options, err);
        Optional<String> cluster = engines.stream().anyMatch(arm -> arm.engine().isOnYarn())
                ? Optional.of(EngineClusterProcess.start(run, err))
                : Optional.empty();
        return new PreparedComparison(EngineArms.experiment(run, engines, cluster, rounds), arms, folder.get());
    }
}
