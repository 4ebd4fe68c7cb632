package org.berth.jobs;

import java.nio.file.Path;
import java.util.List;

/**
 * What one run of {@link KMeans} is asked to do.
 *
 * @param input table of numbers, one row a line
 * @param slices partitions of the tiled table, tasks per iteration
 * @param iterations exact number of iterations: every run does the same work, whether it has converged or not
 * @param clusters centres to find
 * @param tile how often the rows of the input are repeated
 * @param threads task threads in local mode
 */
record KMeansOptions(Path input, int slices, int iterations, int clusters, int tile, int threads) {
    static final String HELP = """
            Usage: KMeans --input FILE [options]
            K-Means on Spark over a table of numbers, to compare placements with.
              --input FILE       CSV or gzipped CSV of numbers; a header line is skipped
              --clusters N       clusters to find (default 10)
              --iterations N     iterations, all of them are done (default 40)
              --tile N           repeat the rows N times with a small deterministic jitter (default 100)
              --scale N          the same as --tile
              --slices N         partitions of the table (default 4 a thread)
            """ + SparkJob.HELP;

    private static final List<String> NAMES =
            List.of("--input", "--clusters", "--iterations", "--tile", "--scale", "--slices", "--threads");

    /**
     * Accepts {@code --name value} and {@code --name=value}.
     *
     * @throws JobException with exit code 2 for anything else
     */
    static KMeansOptions parse(List<String> words) {
        JobArguments arguments = JobArguments.parse(words, NAMES, List.of());
        if (arguments.has("--tile") && arguments.has("--scale")) {
            throw JobException.usage("--scale is another name of --tile; give one of them");
        }
        int threads = arguments.threads();
        return new KMeansOptions(
                arguments.path("--input").orElseThrow(() -> JobException.usage("--input FILE is missing")),
                arguments.count("--slices", 4 * threads),
                arguments.count("--iterations", 40),
                arguments.count("--clusters", 10),
                arguments.count("--tile", arguments.count("--scale", 100)),
                threads);
    }
}
