package org.berth.observation.threads;

import java.util.List;
import java.util.OptionalLong;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.berth.topology.CpuSet;

/** SampleFixtures written by hand. */
public final class SampleFixtures {
    private SampleFixtures() {}

    public static ProcessSample at(long timeNanos, ThreadSnapshot... threads) {
        return new ProcessSample(timeNanos, List.of(threads));
    }

    /** A thread whose kernel does not count migrations. */
    public static ThreadSnapshot thread(int tid, int cpu, long cpuTimeNanos) {
        return thread(tid, "t" + tid, cpu, cpuTimeNanos);
    }

    public static ThreadSnapshot thread(int tid, String name, int cpu, long cpuTimeNanos) {
        return new ThreadSnapshot(tid, name, 'R', cpu, CpuSet.full(), cpuTimeNanos, OptionalLong.empty());
    }

    public static ThreadSnapshot counted(int tid, int cpu, long cpuTimeNanos, long migrations) {
        return new ThreadSnapshot(tid, "t" + tid, 'R', cpu, CpuSet.full(), cpuTimeNanos, OptionalLong.of(migrations));
    }
}
