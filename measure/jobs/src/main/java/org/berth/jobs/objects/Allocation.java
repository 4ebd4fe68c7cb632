package org.berth.jobs.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;
import org.HdrHistogram.Histogram;
import org.berth.jobkit.JobMain;
import org.berth.jobs.Workers;

/**
 * Threads that allocate records and keep a live set of known size, as a job to compare collectors and placements with:
 * each operation makes a record, and a fixed share of the records replaces older ones in a table, so that objects die young
 * and old, and old tables point to young records. The tables are filled before the clock starts, each by the thread that
 * uses it. The number of operations is given, the threads share them.
 *
 * <p>Besides the throughput it reports the longest delay of a batch of operations, which is what the work feels of a
 * collector: a pause, a stall for lack of free memory, or CPU time that concurrent threads of the collector take.
 */
public final class Allocation {
    private Allocation() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        int exitCode = JobMain.run(
                "allocation",
                "cannot allocate the records",
                new AllocationOptions(),
                arguments,
                options -> {},
                Allocation::run);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }

    private static void run(AllocationOptions options) throws Exception {
        List<AllocationWorker> workers = new ArrayList<>();
        for (int thread = 0; thread < options.threads(); thread++) {
            workers.add(new AllocationWorker(thread, options));
        }
        print(Workers.run("allocator", workers), options);
    }

    private static void print(Workers.Outcome<AllocationWorker.Report> outcome, AllocationOptions options) {
        Histogram delays = new Histogram(3);
        CRC32 all = new CRC32();
        long allocatedBytes = 0;
        long liveBytes = 0;
        for (AllocationWorker.Report report : outcome.results()) {
            delays.add(report.delayNanos());
            allocatedBytes += report.allocatedBytes();
            liveBytes += report.liveBytes();
            for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
                all.update((int) (report.checksum() >>> shift));
            }
        }
        double seconds = JobMain.seconds(outcome.nanos());
        System.out.printf(
                Locale.ROOT,
                "live set of %.1f MB, %d operations by %d threads, %.1f MB allocated: %.1f MB/s, %.0f operations/s%n",
                liveBytes / 1e6,
                options.operations(),
                options.threads(),
                allocatedBytes / 1e6,
                allocatedBytes / 1e6 / seconds,
                options.operations() / seconds);
        System.out.printf(
                Locale.ROOT,
                "delay of %d operations, ms: p50 %.4f, p99.9 %.3f, longest %.3f%n",
                AllocationWorker.BATCH,
                delays.getValueAtPercentile(50) / 1e6,
                delays.getValueAtPercentile(99.9) / 1e6,
                delays.getMaxValue() / 1e6);
        JobMain.printResult(seconds, String.format(Locale.ROOT, "%d %08x", allocatedBytes, all.getValue()));
    }
}
