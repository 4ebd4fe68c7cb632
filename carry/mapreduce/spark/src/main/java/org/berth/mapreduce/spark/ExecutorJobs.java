package org.berth.mapreduce.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.spark.SparkEnv;
import org.apache.spark.broadcast.Broadcast;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.mapreduce.runtime.sort.BufferPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The jobs whose tasks have run in this executor, until they end, and the buffers that they share. Thread-safe. */
final class ExecutorJobs {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorJobs.class);
    private static final long CHECK_SECONDS = 10;

    private static final Map<String, ExecutorJob> JOBS = new ConcurrentHashMap<>();
    private static final Map<EngineSettings, BufferPool> POOLS = new ConcurrentHashMap<>();
    private static @Nullable ScheduledFuture<?> check;

    private ExecutorJobs() {}

    static BufferPool pool(EngineSettings settings) {
        return POOLS.computeIfAbsent(
                settings, s -> new BufferPool(s.memoryBytes(), s.bufferBytes(), s.threads(), s.sortBytes()));
    }

    static ExecutorJob of(String name, Broadcast<byte[]> description) throws IOException {
        SparkJob here = DriverJobs.find(name);
        if (here != null) {
            return of(here);
        }
        try {
            return JOBS.computeIfAbsent(name, key -> {
                checkRegularly();
                try {
                    return new ExecutorJob(
                            description.value(),
                            SparkEnv.get().blockManager().diskBlockManager().localDirs());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw new IOException("cannot set up " + name + " on this executor: " + e.getMessage(), e);
        }
    }

    /** In the driver's JVM. */
    static ExecutorJob of(SparkJob here) {
        return new ExecutorJob(
                here.job(), here.isolation(), pool(EngineSettings.of(here.job().conf())));
    }

    /** No driver tells its executors that a job has ended; they ask. */
    private static synchronized void checkRegularly() {
        if (check == null) {
            check = Executors.newSingleThreadScheduledExecutor(work -> {
                        Thread thread = new Thread(work, "berth-ended-jobs");
                        thread.setDaemon(true);
                        return thread;
                    })
                    .scheduleWithFixedDelay(ExecutorJobs::closeEnded, CHECK_SECONDS, CHECK_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static void closeEnded() {
        if (JOBS.isEmpty()) {
            return;
        }
        try {
            String all = String.join(",", JOBS.keySet());
            String answer = DriverLink.ask(new TaskMessage(TaskMessage.Kind.LIVE, "", "", 0, all, new byte[0]));
            Set<String> live = Arrays.stream(answer.split(",", -1)).collect(Collectors.toSet());
            for (String name : all.split(",", -1)) {
                if (!live.contains(name)) {
                    close(name);
                }
            }
        } catch (Throwable e) {
            LOG.debug("the driver was not asked which jobs have ended", e);
        }
    }

    private static void close(String name) {
        ExecutorJob job = JOBS.remove(name);
        if (job != null) {
            job.close();
        }
    }

    static void closeAll() {
        Set.copyOf(JOBS.keySet()).forEach(ExecutorJobs::close);
    }
}
