package org.berth.jobs.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.berth.jobkit.JobException;
import org.berth.jobs.Workers;
import picocli.CommandLine.Command;

/**
 * Memory latency by a chain of loads: each one tells where the next one goes, in one random cycle through all pairs of
 * cache lines of a buffer that is larger than the caches, so that neither caches nor prefetching help. It holds what a
 * real program pays, with misses of the TLB. The best round counts.
 */
public final class Latency {
    private static final int MEGABYTES = 256;
    private static final int ROUNDS = 5;

    @Command(
            name = "Latency",
            description = {
                "Memory latency in ns per load, measured with a random chain of loads.",
                "Berth binds threads to each node and memory to each node in turn; the result is a matrix.",
                "Each thread has one buffer and its own chain. Default: one thread."
            })
    private static final class LatencyOptions extends MemoryOptions {
        LatencyOptions() {
            super(MEGABYTES, ROUNDS);
        }
    }

    private Latency() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        MemoryOptions.measure("latency", new LatencyOptions(), arguments, Latency::run);
    }

    private static void run(MemoryOptions options) throws Exception {
        MemoryPlaces places = options.places("latency");
        int[] cycle = LatencyWorker.cycle(options.sizeBytes(), options.seed());
        MatrixReport report = new MatrixReport("latency", "ns", List.of("load"));
        for (MemoryPlaces.Place place : places.list()) {
            measure(place, places, options, cycle, report);
            MemoryPlaces.giveBack();
        }
        report.print(options);
    }

    private static void measure(
            MemoryPlaces.Place place, MemoryPlaces places, MemoryOptions options, int[] cycle, MatrixReport report)
            throws Exception {
        int threads = options.threads().orElse(1);
        List<LatencyWorker> workers = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            workers.add(new LatencyWorker(place, places.binder(), options, cycle));
        }
        Workers.Outcome<LatencyWorker.Report> outcome = Workers.run("latency", workers);
        Stream<LatencyWorker.Report> all = outcome.results().stream();
        double mean =
                all.mapToDouble(LatencyWorker.Report::nanosPerLoad).average().orElseThrow();
        List<Integer> ends = outcome.results().stream()
                .map(LatencyWorker.Report::end)
                .distinct()
                .toList();
        if (ends.size() > 1) {
            throw JobException.failure(
                    "threads that followed the same chain reached different ends: the memory or the JVM is faulty");
        }
        report.add(place, threads, List.of(mean), Integer.toString(ends.get(0)), outcome.nanos());
    }
}
