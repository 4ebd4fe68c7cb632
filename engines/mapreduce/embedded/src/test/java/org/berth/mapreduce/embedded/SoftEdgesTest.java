package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.berth.hadoopjobs.Jobs;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.oracle.Await;
import org.berth.oracle.CpuTicks;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A map in a slot of one CPU, real load on that CPU, and masks from /proc. */
@Tag("one-jdk")
@Tag("long") // It needs a CPU that other tests, which run at the same time in the quick tier, leave idle.
class SoftEdgesTest {
    /** Ticks of the kernel, of 10 ms: 40 times what an edge takes to open. */
    private static final long ENOUGH_IDLE_TICKS = 400;

    private static final long ENOUGH_TICKS = 2000;
    private static final CompletableFuture<Integer> TID = new CompletableFuture<>();
    private static final CountDownLatch END = new CountDownLatch(1);

    @TempDir
    Path work;

    private final List<Process> load = new ArrayList<>();

    @AfterEach
    void end() {
        END.countDown();
        load.forEach(Process::destroyForcibly);
    }

    static final class Spins extends Mapper<LongWritable, Text, LongWritable, LongWritable> {
        @Override
        protected void map(
                LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, LongWritable>.Context context) {
            TID.complete(ProcStatus.callingThread().tid());
            while (END.getCount() > 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void aWorkerLeavesACpuWithOtherLoadAndReturnsAfterIt() throws Exception {
        Machine.requireCpus(2);
        Tool.require("taskset");
        Files.createDirectories(work.resolve("in"));
        Files.writeString(work.resolve("in/a"), "one\n");
        Job job = Jobs.of(Jobs.conf("berth", work), Spins.class, work, "out", 0);
        job.getConfiguration().set(EngineSettings.LEVEL, "pu");
        job.getConfiguration().set(EngineSettings.EDGE, "soft");
        job.getConfiguration().setInt(EngineSettings.THREADS, 2);
        job.submit();

        Await.until("a closed edge", () -> cpus().size() == 1);
        int own = cpus().iterator().next();
        for (int i = 0; i < 2; i++) {
            load.add(new ProcessBuilder("taskset", "-c", Integer.toString(own), "sh", "-c", "while :; do :; done")
                    .start());
        }
        awaitOpenOrBusyElsewhere(own);
        Await.until("an open edge", () -> cpus().size() > 1 && cpus().contains(own));

        load.forEach(Process::destroyForcibly);
        Await.until("a closed edge again", () -> cpus().equals(Set.of(own)));
        END.countDown();
        assertThat(job.waitForCompletion(false)).isTrue();
    }

    /** Where this machine has other work on the other CPUs all the time, the edge rightly stays closed. */
    private static void awaitOpenOrBusyElsewhere(int own) throws Exception {
        Map<Integer, CpuTicks> before = CpuTicks.now();
        Await.until(
                "an edge that opens",
                () -> cpus().size() > 1
                        || leastIdle(before, own) > ENOUGH_IDLE_TICKS
                        || CpuTicks.since(before, own).all() > ENOUGH_TICKS);
        assumeFalse(
                cpus().size() == 1 && leastIdle(before, own) <= ENOUGH_IDLE_TICKS,
                "another CPU is hardly ever idle, because of other processes");
    }

    private static Set<Integer> cpus() throws Exception {
        return Set.copyOf(KernelList.numbers(
                ProcStatus.of(ProcessHandle.current().pid(), TID.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .cpus()));
    }

    /** The other slot has one of these CPUs. */
    private static long leastIdle(Map<Integer, CpuTicks> before, int own) {
        return Machine.cpus().stream()
                .filter(cpu -> cpu != own)
                .mapToLong(cpu -> CpuTicks.since(before, cpu).idle())
                .min()
                .orElseThrow();
    }
}
