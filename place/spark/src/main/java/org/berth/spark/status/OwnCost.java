package org.berth.spark.status;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.berth.observation.ObservationException;
import org.berth.observation.ThreadSampler;
import org.berth.observation.ThreadSnapshot;
import org.berth.text.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * What Berth itself uses in an executor: the time that the plugin takes to start, and the CPU time and the allocations of its
 * threads and of its hooks in the threads of tasks. Thread-safe.
 */
public final class OwnCost {
    /** All threads of Berth, those of native code included, have such a name in the kernel. */
    private static final String THREADS = "berth-";

    private static final long UNKNOWN = ExecutorStatus.UNKNOWN;

    /** The first hooks load classes, and each of them is measured. */
    private static final int FIRST_HOOKS = 64;

    /** After those one in sixteen is measured, because reading the counters takes about a microsecond. */
    private static final int SAMPLED = 16;

    private final @Nullable ThreadMXBean counters = counters();
    private final AtomicLong hooks = new AtomicLong();
    private final LongAdder hookNanos = new LongAdder();
    private final LongAdder hookBytes = new LongAdder();
    private volatile long startMillis = UNKNOWN;

    /**
     * What it was at one moment; -1 where the JVM or the kernel does not tell.
     *
     * @param startMillis elapsed time that the plugin took to start, while Spark starts, too
     * @param cpuNanos CPU time of the start, of Berth's threads and of its hooks
     * @param allocatedBytes bytes that they have allocated on the heap, most of which are free again
     */
    public record Sum(long startMillis, long cpuNanos, long allocatedBytes) implements Serializable {
        /** The cost of an executor whose threads cannot be read. */
        static final Sum NONE = new Sum(UNKNOWN, UNKNOWN, UNKNOWN);

        /** One line for the log, with the share of the CPU time of this process. */
        public String sentence() {
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            long all = system == null ? UNKNOWN : system.getProcessCpuTime();
            return "its own cost: started in " + (startMillis < 0 ? "an unknown time, " : startMillis + " ms, ")
                    + (cpuNanos < 0
                            ? "an unknown CPU time"
                            : String.format(Locale.ROOT, "%.1f ms of CPU time", cpuNanos / 1e6))
                    + (cpuNanos < 0 || all <= 0
                            ? ""
                            : String.format(Locale.ROOT, " (%.2f %% of this JVM's)", 100.0 * cpuNanos / all))
                    + (allocatedBytes < 0 ? "" : ", " + Bytes.text(allocatedBytes) + " allocated");
        }
    }

    /** Null in a JVM that does not count the CPU time and the allocations of a thread. */
    private static @Nullable ThreadMXBean counters() {
        return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
                        && bean.isCurrentThreadCpuTimeSupported()
                        && bean.isThreadAllocatedMemorySupported()
                ? bean
                : null;
    }

    /** Runs the start of the plugin in the calling thread, and adds what it uses. */
    public void start(Runnable action) {
        long before = System.nanoTime();
        try {
            measured(action, 1);
        } finally {
            startMillis = (System.nanoTime() - before) / 1_000_000;
        }
    }

    /** Runs a hook in the thread of a task, and adds what it uses, or for one in sixteen what sixteen use. */
    public void hook(Runnable action) {
        long number = hooks.incrementAndGet();
        if (number <= FIRST_HOOKS) {
            measured(action, 1);
        } else if (number % SAMPLED == 0) {
            measured(action, SAMPLED);
        } else {
            action.run();
        }
    }

    private void measured(Runnable action, int weight) {
        ThreadMXBean known = counters;
        if (known == null) {
            action.run();
            return;
        }
        long nanos = known.getCurrentThreadCpuTime();
        long bytes = known.getCurrentThreadAllocatedBytes();
        try {
            action.run();
        } finally {
            hookNanos.add(weight * (known.getCurrentThreadCpuTime() - nanos));
            hookBytes.add(weight * (known.getCurrentThreadAllocatedBytes() - bytes));
        }
    }

    /** Until now, also in an executor that has sent no status. */
    public Sum read() {
        try (ThreadSampler threads = ThreadSampler.of(ProcessHandle.current().pid())) {
            return sum(threads.sample().threads());
        } catch (ObservationException e) {
            return new Sum(startMillis, UNKNOWN, UNKNOWN);
        }
    }

    /** Adds the hooks to what Berth's threads have used until now; the kernel's list has the native ones, too. */
    Sum sum(List<ThreadSnapshot> threads) {
        ThreadMXBean known = counters;
        if (known == null) {
            return new Sum(startMillis, UNKNOWN, UNKNOWN);
        }
        long nanos = threads.stream()
                .filter(thread -> thread.name().startsWith(THREADS))
                .mapToLong(ThreadSnapshot::cpuTimeNanos)
                .sum();
        return new Sum(startMillis, nanos + hookNanos.sum(), hookBytes.sum() + allocatedByThreads(known));
    }

    private static long allocatedByThreads(ThreadMXBean known) {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group != null && group.getParent() != null) {
            group = group.getParent();
        }
        Thread[] all = new Thread[group == null ? 0 : group.activeCount() + 16];
        int count = group == null ? 0 : group.enumerate(all, true);
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            if (all[i].getName().startsWith(THREADS)) {
                bytes += Math.max(0, known.getThreadAllocatedBytes(all[i].getId()));
            }
        }
        return bytes;
    }
}
