package org.berth.cli.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.arms.PreparedComparison;
import org.berth.cli.compare.jobs.Job;
import org.berth.cli.compare.jobs.JobRun;
import org.berth.cli.compare.jobs.WayArms;
import org.berth.cli.compare.output.SeriesFigure;
import org.berth.experiments.result.ExperimentResult;
import org.berth.topology.Topology;

/**
 * A job of messages between processes, whose arms are the ways that these take.
 *
 * @param options of the job itself
 */
public record WayJob(Job job, WayArms.Choice ways, Optional<String> scale, List<String> options) implements Work {
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
        Optional<Path> sparkHome =
                job.needsSparkHome() ? Optional.of(sparkHome(results.path(), run.libraries())) : Optional.empty();
        return new PreparedComparison(WayArms.experiment(run, ways.arms(), sparkHome, rounds), arms, results);
    }

    /** Executors of a local cluster take Spark from a folder {@code jars} below its home. */
    public static Path sparkHome(Path folder, Path libraries) throws IOException {
        Path home = folder.resolve("spark-home");
        Files.createDirectories(home);
        Path jars = home.resolve("jars");
        Files.deleteIfExists(jars);
        Files.createSymbolicLink(jars, libraries);
        return home;
    }

    @Override
    public Optional<SeriesFigure> figure(ExperimentResult result) {
        return job.series().map(option -> SeriesFigure.of(job, result));
    }
}
