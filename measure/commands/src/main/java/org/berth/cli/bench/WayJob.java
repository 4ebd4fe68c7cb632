package org.berth.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.berth.cli.bench.jobs.Job;
import org.berth.cli.bench.jobs.JobRun;
import org.berth.cli.bench.jobs.WayArms;
import org.berth.cli.compare.Work;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.arms.PreparedComparison;
import org.berth.cli.compare.output.SeriesFigure;
import org.berth.experiments.result.ExperimentResult;
import org.berth.topology.Topology;

/**
 * A job of messages between processes, whose arms are the ways that these take.
 *
 * @param options of the job itself
 */
record WayJob(Job job, WayArms.Choice ways, Optional<String> scale, List<String> options) implements Work {
    private static final int NO_THREADS = 0;

    /** No plans: the transport places its own threads. */
    @Override
    public CompareArms arms(Topology topology) {
        return CompareArms.none().withAbsent(ways.absent());
    }

    @Override
    public PreparedComparison comparison(
            Topology topology, CompareArms arms, Supplier<CompareFolder> folder, int rounds, PrintWriter err)
            throws IOException, InterruptedException {
        JobRun run = JobRun.prepare(job, Optional.empty(), NO_THREADS, scale, options, err);
        CompareFolder results = folder.get();
        Optional<Path> sparkHome = job.needsSparkHome()
                ? Optional.of(WayArms.sparkHome(results.path(), run.libraries()))
                : Optional.empty();
        return new PreparedComparison(WayArms.experiment(run, ways.arms(), sparkHome, rounds), arms, results);
    }

    @Override
    public Optional<SeriesFigure> figure(ExperimentResult result) {
        return job.figure(result);
    }
}
