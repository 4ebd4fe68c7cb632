package org.berth.jobs.memory;

import java.util.Optional;
import org.berth.binding.LocalMachine;
import org.berth.binding.errors.BindingException;
import org.berth.jobkit.JobException;
import org.berth.jobkit.JobMain;
import org.berth.jobkit.JobOptions;
import picocli.CommandLine.Option;

/** The options of {@link Bandwidth} and {@link Latency}, whose defaults differ. */
public abstract class MemoryOptions extends JobOptions {
    /** More rounds would take the numbers of {@link Bandwidth} out of the range of a double. */
    private static final int MOST_ROUNDS = 100;

    /** A buffer holds at most 2^31 - 1 bytes. */
    private static final int MOST_MEGABYTES = 2047;

    @Option(
            names = "--scale",
            paramLabel = "N",
            description = "MB of each buffer, at most 2047 (default ${DEFAULT-VALUE}).")
    private int megabytes;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Rounds, at most 100; the best one counts (default ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads, each with buffers of its own (default: above).")
    private Optional<Integer> threads = Optional.empty();

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the content (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--unbound",
            description = "Bind nothing and print no matrix: threads and memory stay where the JVM runs.")
    private boolean unbound;

    @Option(names = "--json", description = "Print one JSON object instead of tables and lines.")
    private boolean json;

    public MemoryOptions(int defaultMegabytes, int defaultRounds) {
        this.megabytes = defaultMegabytes;
        this.rounds = defaultRounds;
    }

    @Override
    protected void check() {
        requireAtMost("--scale", megabytes, MOST_MEGABYTES);
        requireAtMost("--rounds", rounds, MOST_ROUNDS);
    }

    /** Bytes of each buffer of each thread. */
    public int sizeBytes() {
        return megabytes << 20;
    }

    /** Rounds of which the best one counts. */
    public int rounds() {
        return rounds;
    }

    /** Is empty for the job's own choice. */
    public Optional<Integer> threads() {
        return threads;
    }

    public long seed() {
        return seed;
    }

    /** Whether JSON is printed instead of tables. */
    public boolean json() {
        return json;
    }

    /** Runs one of the two jobs, and ends the JVM with another exit code than 0 when it fails. */
    static void measure(String name, MemoryOptions options, String[] words, JobMain.Work<MemoryOptions> work) {
        int exitCode = JobMain.run(name, "cannot measure the memory", options, words, parsed -> {}, parsed -> {
            try {
                work.run(parsed);
            } catch (BindingException e) {
                throw JobException.failure(String.valueOf(e.getMessage()));
            }
        });
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }

    /** The pairs to measure; a line on standard error tells what this machine cannot show. */
    MemoryPlaces places(String job) {
        if (unbound) {
            return MemoryPlaces.unbound();
        }
        LocalMachine machine = LocalMachine.open();
        long cacheBytes = MemoryPlaces.largestCacheBytes(machine.topology());
        if (sizeBytes() < 4 * cacheBytes) {
            System.err.printf(
                    "berth: %s: %d MB are less than four times the largest cache (%d MB), which will answer a part;"
                            + " use a larger --scale%n",
                    job, megabytes, cacheBytes >> 20);
        }
        MemoryPlaces places = MemoryPlaces.matrix(machine);
        if (places.list().isEmpty()) {
            throw JobException.failure("none of the memory nodes that this process may use ("
                    + machine.topology().allowedNodeSet() + ") is near a CPU that it may use ("
                    + machine.topology().allowedCpuSet() + "); use --unbound");
        }
        return places;
    }
}
