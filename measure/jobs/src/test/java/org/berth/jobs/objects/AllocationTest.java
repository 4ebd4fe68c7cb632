package org.berth.jobs.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.jobkit.JobMain;
import org.berth.jobs.JobProcess;
import org.berth.jobs.Workers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
@Timeout(300)
class AllocationTest {
    private static final String[] TINY = {"--scale", "4", "--operations", "50", "--threads", "2"};

    @TempDir
    Path folder;

    private static List<AllocationWorker> workers(String... words) throws Exception {
        AllocationOptions options = new AllocationOptions();
        JobMain.parse(options, List.of(words));
        List<AllocationWorker> workers = new ArrayList<>();
        for (int thread = 0; thread < options.threads(); thread++) {
            workers.add(new AllocationWorker(thread, options));
        }
        return workers;
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** What the heap holds after a full collection, as the JVM itself counts it. */
    @Test
    void keepsALiveSetOfTheSizeAskedFor() throws Exception {
        List<AllocationWorker> workers = workers("--scale", "48", "--operations", "200", "--threads", "3");
        long before = usedBytes();
        long liveBytes = Workers.run("allocator", workers).results().stream()
                .mapToLong(AllocationWorker.Report::liveBytes)
                .sum();
        long held = usedBytes() - before;
        assertThat(workers).hasSize(3);
        assertThat((double) held).isBetween(0.9 * (48 << 20), 1.1 * (48 << 20));
        assertThat((double) liveBytes).isBetween(0.95 * held, 1.05 * held);
    }

    @Test
    void aShareOfTheRecordsSurvives() throws Exception {
        long none = Workers.run("allocator", workers("--scale", "4", "--operations", "50", "--survivors", "1"))
                .results()
                .get(0)
                .checksum();
        long all = Workers.run("allocator", workers("--scale", "4", "--operations", "50", "--survivors", "100"))
                .results()
                .get(0)
                .checksum();
        assertThat(all).isNotEqualTo(none);
    }

    @Test
    @Tag("long")
    void givesTheSameResultInEachRunAndReportsThroughputAndDelays() throws Exception {
        JobProcess.Run run = JobProcess.run(folder, Allocation.class, TINY);
        assertThat(JobProcess.runOnOneCpu(folder, Allocation.class, TINY).result())
                .isEqualTo(run.result());
        assertThat(run.out())
                .containsPattern("live set of 4\\.[0-9] MB, 50000 operations by 2 threads, [0-9.]+ MB allocated")
                .containsPattern(": [0-9.]+ MB/s, [0-9]+ operations/s\n")
                .containsPattern("delay of 64 operations, ms: p50 [0-9.]+, p99\\.9 [0-9.]+, longest [0-9.]+\n");
        assertThat(run.err()).isEmpty();
    }

    @Test
    @Tag("long")
    void saysInOneLineWhatIsWrong() throws Exception {
        JobProcess.run(folder, Allocation.class, "--survivors", "101")
                .assertFails(
                        2,
                        "allocation: Invalid value for option '--survivors': '101' is greater than 100"
                                + " (--help lists the options)");
        JobProcess.run(folder, Allocation.class, "--scale", "1", "--record-bytes", "1000000", "--threads", "2")
                .assertFails(
                        2,
                        "allocation: --scale 1 is less than one record of 1000000 bytes for each of 2 threads; give a"
                                + " larger --scale or smaller --record-bytes (--help lists the options)");
    }
}
