package org.berth.mapreduce.spark;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The jobs that this JVM drives. Thread-safe. */
final class DriverJobs {
    private static final Map<String, SparkJob> JOBS = new ConcurrentHashMap<>();

    private DriverJobs() {}

    static void add(String name, SparkJob job) {
        JOBS.put(name, job);
    }

    static void remove(String name) {
        JOBS.remove(name);
    }

    static boolean has(String name) {
        return JOBS.containsKey(name);
    }

    static @Nullable SparkJob find(String name) {
        return JOBS.get(name);
    }

    static String answer(TaskMessage message) {
        if (message.kind() == TaskMessage.Kind.LIVE) {
            return Arrays.stream(message.text().split(",", -1))
                    .filter(JOBS::containsKey)
                    .collect(Collectors.joining(","));
        }
        SparkJob job = JOBS.get(message.job());
        return job == null ? TaskMessage.JOB_ENDED : job.answer(message);
    }
}
