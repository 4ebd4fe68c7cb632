package org.berth.jobs.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.berth.jobkit.JobException;
import org.berth.jobs.Workers;
import picocli.CommandLine.Command;

/**
 * Memory bandwidth by the four loops of STREAM (J. McCalpin, Memory Bandwidth and Machine Balance in Current High
 * Performance Computers, 1995): copy, scale, add and triad over three large buffers outside the heap, each thread its
 * own. Bytes are counted as STREAM does (read and written, without the reads that a cache does before a write), the
 * best round counts. Every element is summed up afterwards.
 */
public final class Bandwidth {
    private static final int MEGABYTES = 128;
    private static final int ROUNDS = 20;

    static final List<String> MEASURES = List.of("copy", "scale", "add", "triad");

    /** Buffers that one pass over each loop reads or writes. */
    private static final int[] BUFFERS = {2, 2, 3, 3};

    @Command(
            name = "Bandwidth",
            description = {
                "Memory bandwidth (copy, scale, add, triad) in GB/s, measured with loops in Java.",
                "Berth binds threads to each node and memory to each node in turn; the result is a matrix.",
                "Each thread has three buffers. Default: one thread for each CPU of the node (with --unbound, of the"
                        + " JVM)."
            })
    private static final class BandwidthOptions extends MemoryOptions {
        BandwidthOptions() {
            super(MEGABYTES, ROUNDS);
        }
    }

    private Bandwidth() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        MemoryOptions.measure("bandwidth", new BandwidthOptions(), arguments, Bandwidth::run);
    }

    private static void run(MemoryOptions options) throws Exception {
        MemoryPlaces places = options.places("bandwidth");
        MatrixReport report = new MatrixReport("bandwidth", "GB/s", MEASURES);
        for (MemoryPlaces.Place place : places.list()) {
            measure(place, places, options, report);
            MemoryPlaces.giveBack();
        }
        report.print(options);
    }

    private static void measure(
            MemoryPlaces.Place place, MemoryPlaces places, MemoryOptions options, MatrixReport report)
            throws Exception {
        int cpus = place.cpus().isPresent()
                ? place.cpus().get().size()
                : Runtime.getRuntime().availableProcessors();
        int threads = options.threads().orElse(cpus);
        // Only the action of the barrier writes, while all threads wait in it.
        List<Long> ends = new ArrayList<>();
        CyclicBarrier barrier = new CyclicBarrier(threads, () -> ends.add(System.nanoTime()));
        List<BandwidthWorker> workers = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            workers.add(new BandwidthWorker(place, places.binder(), options, barrier));
        }
        Workers.Outcome<Long> outcome = Workers.run("bandwidth", workers);
        if (outcome.results().stream().distinct().count() > 1) {
            throw JobException.failure(
                    "threads that did the same work computed different sums: the memory or the JVM is faulty");
        }
        String sum = String.format("%016x", outcome.results().get(0));
        report.add(place, threads, best(ends, threads, options), sum, ends.get(ends.size() - 1) - ends.get(0));
    }

    /** @param ends the start, then the end of each loop of each round, by System.nanoTime */
    private static List<Double> best(List<Long> ends, int threads, MemoryOptions options) {
        long[] least = new long[MEASURES.size()];
        Arrays.fill(least, Long.MAX_VALUE);
        for (int i = 1; i < ends.size(); i++) {
            int loop = (i - 1) % least.length;
            least[loop] = Math.min(least[loop], ends.get(i) - ends.get(i - 1));
        }
        List<Double> rates = new ArrayList<>();
        for (int loop = 0; loop < least.length; loop++) {
            rates.add((double) BUFFERS[loop] * options.sizeBytes() * threads / least[loop]);
        }
        return rates;
    }
}
