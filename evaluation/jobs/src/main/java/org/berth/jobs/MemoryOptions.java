package org.berth.jobs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.berth.binding.LocalMachine;

/**
 * What one run of {@link Bandwidth} or {@link Latency} is asked to do.
 *
 * @param sizeBytes of each buffer of each thread
 * @param rounds of which the best one counts
 * @param threads empty for the job's own choice
 * @param unbound leave threads and memory where they are put from outside
 * @param json instead of tables
 * @param svg where the matrix is drawn too
 */
record MemoryOptions(
        int sizeBytes,
        int rounds,
        Optional<Integer> threads,
        long seed,
        boolean unbound,
        boolean json,
        Optional<Path> svg) {
    /** Above it {@link Bandwidth}'s numbers would leave the range of a double. */
    private static final int MOST_ROUNDS = 100;

    /** A buffer holds at most 2^31 - 1 bytes. */
    private static final int MOST_MEGABYTES = 2047;

    private static final List<String> NAMES = List.of("--scale", "--rounds", "--threads", "--seed", "--svg");
    private static final List<String> FLAGS = List.of("--unbound", "--json");

    static String help(String mainClass, String what, String scale, int megabytes, int rounds, String threads) {
        return """
                Usage: %s [options]
                %s
                Each node's CPUs and each node's memory in turn, bound by Berth: a matrix.
                  --scale N          MB of %s, at most 2047 (default %d)
                  --rounds N         rounds, at most 100, of which the best one counts (default %d)
                  --threads N        %s
                  --seed N           of the content (default 1)
                  --unbound          no matrix: threads and memory stay where the JVM is put from outside
                  --json             one JSON object instead of tables and lines
                  --svg FILE         draw the matrix too, as SVG
                  --prepare          only check the options
                  --verbose          the stack trace of a failure
                  --help             this text
                """.formatted(mainClass, what, scale, megabytes, rounds, threads);
    }

    /** @throws JobException with exit code 2 for a wrong command line */
    static MemoryOptions parse(List<String> words, int megabytes, int rounds) {
        JobArguments arguments = JobArguments.parse(words, NAMES, FLAGS);
        Optional<Path> svg = arguments.path("--svg");
        if (svg.isPresent() && arguments.has("--unbound")) {
            throw JobException.usage("--svg draws the matrix, and with --unbound there is none; give one of them");
        }
        Optional<Integer> threads = arguments.has("--threads") ? Optional.of(arguments.threads()) : Optional.empty();
        return new MemoryOptions(
                arguments.count("--scale", megabytes, MOST_MEGABYTES) << 20,
                arguments.count("--rounds", rounds, MOST_ROUNDS),
                threads,
                arguments.number("--seed", 1),
                arguments.has("--unbound"),
                arguments.has("--json"),
                svg);
    }

    /** Said at once: nobody wants to learn it after minutes of measuring. */
    void checkPicture() {
        if (svg.isEmpty()) {
            return;
        }
        Path folder = svg.get().toAbsolutePath().resolveSibling("");
        String reason = Files.isDirectory(svg.get())
                ? "it is a folder"
                : !Files.isDirectory(folder)
                        ? "there is no folder " + folder
                        : !Files.isWritable(Files.exists(svg.get()) ? svg.get() : folder) ? "permission denied" : "";
        if (!reason.isEmpty()) {
            throw JobException.failure(
                    "cannot write the picture " + svg.get() + ": " + reason + "; give another --svg FILE");
        }
    }

    /** With a word on standard error about what the machine does not let the job show. */
    MemoryPlaces places(String job) {
        if (unbound) {
            return MemoryPlaces.unbound();
        }
        LocalMachine machine = LocalMachine.open();
        long cacheBytes = MemoryPlaces.largestCacheBytes(machine.topology());
        if (sizeBytes < 4 * cacheBytes) {
            System.err.printf(
                    "berth: %s: %d MB are less than four times the largest cache (%d MB), which will answer a part;"
                            + " use a larger --scale%n",
                    job, sizeBytes >> 20, cacheBytes >> 20);
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
