package org.berth.jobs.objects;

import org.berth.jobkit.JobOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@link Serialization}. */
@Command(
        name = "Serialization",
        description = "Threads that serialise and deserialise large object graphs, to compare placements with.")
final class SerializationOptions extends JobOptions {
    private static final int ENTRIES_PER_SCALE = 1000;
    private static final int MOST_SCALE = 1_000_000;

    @Option(
            names = "--scale",
            paramLabel = "N",
            defaultValue = "10",
            description = "Thousands of entries (about 280 bytes serialised) in a graph (default ${DEFAULT-VALUE}).")
    private int scale;

    @Option(
            names = "--graphs",
            paramLabel = "N",
            defaultValue = "16",
            description = "Graphs, shared among the threads (default ${DEFAULT-VALUE}).")
    private int graphs;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "4",
            description = "How often each graph is serialised and deserialised (default ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the content of the graphs (default ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads (default: the processors that the JVM may use).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Override
    protected void check() {
        requireAtMost("--scale", scale, MOST_SCALE);
    }

    /** Entries of each graph. */
    int entries() {
        return ENTRIES_PER_SCALE * scale;
    }

    int graphs() {
        return graphs;
    }

    /** How often each graph is serialised and deserialised. */
    int rounds() {
        return rounds;
    }

    /** At most one for each graph. */
    int threads() {
        return Math.min(threads, graphs);
    }

    long seed() {
        return seed;
    }
}
