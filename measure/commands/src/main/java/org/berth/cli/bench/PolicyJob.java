package org.berth.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.berth.cli.bench.jobs.Job;
import org.berth.cli.bench.jobs.JobRun;
import org.berth.cli.bench.jobs.PolicyArms;
import org.berth.cli.compare.Work;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.arms.PreparedComparison;
import org.berth.cli.compare.output.SeriesFigure;
import org.berth.experiments.result.ExperimentResult;
import org.berth.topology.Topology;

/**
 * A job whose DataNodes place their threads by policies.
 *
 * @param policies names of the arms
 * @param options of the job itself
 */
record PolicyJob(Job job, List<String> policies, Optional<String> scale, List<String> options) implements Work {
    private static final int NO_THREADS = 0;

    /** No plans: where threads go is decided when they begin a block. */
    @Override
    public CompareArms arms(Topology topology) {
        return CompareArms.none();
    }

    @Override
    public PreparedComparison comparison(
            Topology topology, CompareArms arms, Supplier<CompareFolder> folder, int rounds, PrintWriter err)
            throws IOException, InterruptedException {
        JobRun run = JobRun.prepare(job, Optional.empty(), NO_THREADS, scale, options, err);
        return new PreparedComparison(PolicyArms.experiment(run, policies, rounds), arms, folder.get());
    }

    @Override
    public Optional<SeriesFigure> figure(ExperimentResult result) {
        return job.figure(result);
    }
}
