package org.berth.jobs;

import java.util.List;

/**
 * What one run of {@link SortBy} or {@link GroupBy} is asked to do.
 *
 * @param records in all, of about 100 bytes each
 * @param slices partitions before and after the shuffle
 * @param iterations how often the same records are shuffled
 * @param threads task threads in local mode
 */
record ShuffleOptions(long records, int slices, int iterations, long seed, int threads) {
    private static final List<String> NAMES = List.of("--scale", "--slices", "--iterations", "--seed", "--threads");

    static String help(String mainClass, String what) {
        return """
                Usage: %s [options]
                %s
                  --scale N          hundred thousands of records, of about 100 bytes each (default 5)
                  --iterations N     how often the records are shuffled (default 3)
                  --slices N         partitions before and after the shuffle (default 4 a thread)
                  --seed N           of the records (default 1)
                """.formatted(mainClass, what) + SparkJob.HELP;
    }

    /** @throws JobException with exit code 2 for a wrong command line */
    static ShuffleOptions parse(List<String> words) {
        JobArguments arguments = JobArguments.parse(words, NAMES, List.of());
        int threads = arguments.threads();
        return new ShuffleOptions(
                100_000L * arguments.count("--scale", 5),
                arguments.count("--slices", 4 * threads),
                arguments.count("--iterations", 3),
                arguments.number("--seed", 1),
                threads);
    }
}
