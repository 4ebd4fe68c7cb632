package org.berth.spark.executor;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.SparkConf;
import org.berth.spark.settings.AffinitySettings;

/**
 * Finds out whether tasks have become too short for a core or PU of their own. A task of some hundred microseconds has
 * nothing
 * in a cache that a fixed place would keep, and its thread then waits for a busy CPU while another one is idle: 4,000
 * tasks of
 * a third of a millisecond took 5 to 8 % more CPU time in slots, of which the plugin itself used less than 0.2 %
 * (docs/background/benchmarks.md). Thread-safe.
 */
public final class TaskLengths {
    /** Fewer tasks a second cost nothing to speak of, wherever they run. */
    private static final int MIN_TASKS = 100;

    /** Tasks get slots again from twice the length, so that lengths near the limit do not change it each second. */
    private static final int HYSTERESIS = 2;

    private final double minNanos;
    private final LongAdder ended = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder unbound = new LongAdder();
    private final ThreadLocal<long[]> started = ThreadLocal.withInitial(() -> new long[1]);
    private volatile boolean tooShort;
    private boolean told;

    private TaskLengths(double minNanos) {
        this.minNanos = minNanos;
    }

    /**
     * Reads the setting.
     *
     * @param tight whether tasks get cores or PUs; larger slots leave the kernel room
     * @param chosen whether a plan or Spark's resource scheduling chose the slots; all tasks are bound then
     * @throws IllegalStateException one line, when the value is not valid
     */
    public static TaskLengths of(SparkConf conf, boolean tight, boolean chosen) {
        String asked = conf.get(AffinitySettings.MIN_TASK_MILLIS, "1").strip();
        double minMillis = -1;
        try {
            minMillis = Double.parseDouble(asked);
        } catch (NumberFormatException e) {
            // The line below tells what is right.
        }
        if (!(minMillis >= 0 && minMillis <= 1e6)) {
            throw new IllegalStateException(AffinitySettings.MIN_TASK_MILLIS + "=" + asked
                    + " is not a number of milliseconds from 0 (bind every task) to 1000000");
        }
        return new TaskLengths(tight && !chosen ? minMillis * 1e6 : 0);
    }

    /** To be called by the thread of a task at its start; returns whether the task is not to be bound. */
    public boolean starts() {
        if (minNanos == 0) {
            return false;
        }
        started.get()[0] = System.nanoTime();
        if (!tooShort) {
            return false;
        }
        unbound.increment();
        return true;
    }

    /** To be called by the same thread at the end of the task. */
    public void ends() {
        long[] start = started.get();
        if (minNanos > 0 && start[0] != 0) {
            nanos.add(System.nanoTime() - start[0]);
            ended.increment();
            start[0] = 0;
        }
    }

    /**
     * Decides from the tasks that have ended since the last call. To be called once a second, by one thread.
     *
     * @return a line for the log when tasks are too short for the first time
     */
    public Optional<String> sample() {
        long count = ended.sumThenReset();
        double mean = (double) nanos.sumThenReset() / Math.max(1, count);
        tooShort = count >= MIN_TASKS && mean < (tooShort ? HYSTERESIS : 1) * minNanos;
        if (!tooShort || told) {
            return Optional.empty();
        }
        told = true;
        return Optional.of(String.format(
                Locale.ROOT,
                "tasks take %.2f ms on average, too short to gain from a slot: they run on all CPUs of the executor until"
                        + " they take %.3g ms (%s=0 binds them all)",
                mean / 1e6,
                HYSTERESIS * minNanos / 1e6,
                AffinitySettings.MIN_TASK_MILLIS));
    }

    /** What the status of the executor reports; empty while tasks are bound. */
    public Optional<String> note() {
        return tooShort ? Optional.of("tasks are too short to be bound at present") : Optional.empty();
    }

    /** How many tasks were not bound, as a part of a line for the log; empty when all were. */
    public String unbound() {
        long count = unbound.sum();
        return count == 0 ? "" : ", " + count + " more were too short to be bound";
    }
}
