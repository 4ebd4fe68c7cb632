package org.berth.microbenchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time of the measuring thread for one operation, the kernel's part included. On a machine that others use too, the
 * time on the clock measures the others; this does not count while they run. Collectors and compilers have their own
 * threads and are left out.
 */
public final class ThreadCpuTime implements InternalProfiler {
    static final String LABEL = "cpu";

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long before;

    @Override
    public String getDescription() {
        return "CPU time of the measuring thread";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = workersNanos();
    }

    @Override
    public Collection<? extends Result<ScalarResult>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double nanos = workersNanos() - before;
        double operations = result.getMetadata().getAllOps();
        return List.of(new ScalarResult(LABEL, nanos / operations, "ns/op", AggregationPolicy.AVG));
    }

    private long workersNanos() {
        long nanos = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().contains("jmh-worker")) {
                nanos += Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
            }
        }
        if (nanos == 0 && before > 0) {
            throw new IllegalStateException("the measuring thread is gone: its CPU time cannot be read");
        }
        return nanos;
    }
}
