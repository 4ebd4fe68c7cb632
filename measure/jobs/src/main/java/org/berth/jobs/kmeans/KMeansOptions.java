package org.berth.jobs.kmeans;

import java.nio.file.Path;
import java.util.Optional;
import org.berth.jobs.SparkOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@link SparkKMeans}. */
@Command(
        name = "SparkKMeans",
        customSynopsis = "SparkKMeans [OPTIONS] --input=FILE",
        description = "K-Means on Spark over a table of numbers, to compare placements with.")
final class KMeansOptions extends SparkOptions {
    @Option(
            names = "--input",
            paramLabel = "FILE",
            required = true,
            description = "CSV or gzipped CSV of numbers; a header line is skipped.")
    private Path input = Path.of("");

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "10",
            description = "Clusters to find (default ${DEFAULT-VALUE}).")
    private int clusters;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            defaultValue = "40",
            description = "Iterations; all of them are done (default ${DEFAULT-VALUE}).")
    private int iterations;

    @Option(
            names = {"--scale", "--tile"},
            paramLabel = "N",
            defaultValue = "100",
            description = "Repeat the rows N times with a small deterministic jitter (default ${DEFAULT-VALUE}).")
    private int tile;

    @Option(names = "--slices", paramLabel = "N", description = "Partitions of the table (default: 4 per thread).")
    private Optional<Integer> slices = Optional.empty();

    /** The table of numbers, one row per line. */
    Path input() {
        return input;
    }

    /** Partitions of the tiled table, and tasks per iteration. */
    int slices() {
        return slices.orElse(4 * threads());
    }

    /** The exact number of iterations: every run does the same work, whether it has converged or not. */
    int iterations() {
        return iterations;
    }

    /** How many centres to find. */
    int clusters() {
        return clusters;
    }

    /** How often the rows of the input are repeated. */
    int tile() {
        return tile;
    }
}
