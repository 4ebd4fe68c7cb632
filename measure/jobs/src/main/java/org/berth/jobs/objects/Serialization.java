package org.berth.jobs.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.HdrHistogram.Histogram;
import org.berth.jobkit.JobMain;
import org.berth.jobs.Workers;

/**
 * Threads that serialise and deserialise large object graphs by java.io, each thread its own, as a job to compare
 * placements with: no engine, no locks, only allocation, copying and pointers. The graphs are built before the clock
 * starts, by the thread that uses them. The number of graphs is given, the threads share them: the result, a checksum
 * of the last bytes of every graph, is the same for any number of threads.
 */
public final class Serialization {
    private Serialization() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        int exitCode = JobMain.run(
                "serialization",
                "cannot serialise the graphs",
                new SerializationOptions(),
                arguments,
                options -> {},
                Serialization::run);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }

    private static void run(SerializationOptions options) throws Exception {
        List<SerializationWorker> workers = new ArrayList<>();
        for (int thread = 0; thread < options.threads(); thread++) {
            workers.add(new SerializationWorker(
                    thread, options.threads(), options.graphs(), options.entries(), options.rounds(), options.seed()));
        }
        Workers.Outcome<SerializationWorker.Report> outcome = Workers.run("serializer", workers);
        print(outcome, options.graphs(), options.rounds(), options.threads());
    }

    private static void print(
            Workers.Outcome<SerializationWorker.Report> outcome, int graphs, int rounds, int threads) {
        Histogram serialize = new Histogram(3);
        Histogram deserialize = new Histogram(3);
        TreeMap<Integer, Long> checksums = new TreeMap<>();
        long bytes = 0;
        for (SerializationWorker.Report report : outcome.results()) {
            serialize.add(report.serializeNanos());
            deserialize.add(report.deserializeNanos());
            checksums.putAll(report.checksums());
            bytes += report.bytes();
        }
        double seconds = JobMain.seconds(outcome.nanos());
        System.out.printf(
                Locale.ROOT,
                "%d graphs of %.1f MB, %d round trips by %d threads: %.1f MB/s, %.1f round trips/s%n",
                graphs,
                bytes / 1e6 / graphs / rounds,
                (long) graphs * rounds,
                threads,
                bytes / 1e6 / seconds,
                (double) graphs * rounds / seconds);
        System.out.println("latency, ms        p50       p90       p99       max");
        print("serialize", serialize);
        print("deserialize", deserialize);
        CRC32 all = new CRC32();
        checksums.values().forEach(checksum -> update(all, checksum));
        JobMain.printResult(
                JobMain.seconds(outcome.nanos()), String.format(Locale.ROOT, "%d %08x", bytes, all.getValue()));
    }

    private static void print(String name, Histogram nanos) {
        System.out.printf(
                Locale.ROOT,
                "%-12s%10.2f%10.2f%10.2f%10.2f%n",
                name,
                nanos.getValueAtPercentile(50) / 1e6,
                nanos.getValueAtPercentile(90) / 1e6,
                nanos.getValueAtPercentile(99) / 1e6,
                nanos.getMaxValue() / 1e6);
    }

    private static void update(CRC32 crc, long value) {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            crc.update((int) (value >>> shift));
        }
    }
}
