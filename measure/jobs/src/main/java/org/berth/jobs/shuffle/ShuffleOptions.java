package org.berth.jobs.shuffle;

import java.util.Optional;
import org.berth.jobs.SparkOptions;
import picocli.CommandLine.Option;

/** The options of {@link SortBy} and {@link GroupBy}. */
public abstract class ShuffleOptions extends SparkOptions {
    private static final long RECORDS_PER_SCALE = 100_000;

    @Option(
            names = "--scale",
            paramLabel = "N",
            defaultValue = "5",
            description = "Hundreds of thousands of records, of about 100 bytes each (default ${DEFAULT-VALUE}).")
    private int scale;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            defaultValue = "3",
            description = "How often the records are shuffled (default ${DEFAULT-VALUE}).")
    private int iterations;

    @Option(
            names = "--slices",
            paramLabel = "N",
            description = "Partitions before and after the shuffle (default: 4 per thread).")
    private Optional<Integer> slices = Optional.empty();

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the records (default ${DEFAULT-VALUE}).")
    private long seed;

    /** All records together. */
    public long records() {
        return RECORDS_PER_SCALE * scale;
    }

    /** Partitions before and after the shuffle. */
    public int slices() {
        return slices.orElse(4 * threads());
    }

    /** How often the same records are shuffled. */
    public int iterations() {
        return iterations;
    }

    public long seed() {
        return seed;
    }
}
