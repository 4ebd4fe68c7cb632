package org.berth.oracle;

import java.util.List;

/** A control group whose processes get the time of a number of CPUs, as {@code docker --cpus} makes it; removed when closed. */
public final class Quota implements AutoCloseable {
    private static final long PERIOD_MICROS = 100_000;

    private final ControlGroup group;

    private Quota(ControlGroup group) {
        this.group = group;
    }

    /** Makes one; aborts the test with the reason when this process may not. */
    public static Quota ofCpus(int cpus) {
        return ofPercent(100 * cpus);
    }

    /** Makes one of some hundredths of a CPU; aborts the test as {@link #ofCpus}. */
    public static Quota ofPercent(int percent) {
        Quota quota = new Quota(ControlGroup.make("cpu", "cpu.cfs_quota_us", "cpu.max"));
        long micros = percent * PERIOD_MICROS / 100;
        if (quota.group.isFirstVersion()) {
            quota.group.write("cpu.cfs_period_us", Long.toString(PERIOD_MICROS));
            quota.group.write("cpu.cfs_quota_us", Long.toString(micros));
        } else {
            quota.group.write("cpu.max", micros + " " + PERIOD_MICROS);
        }
        return quota;
    }

    /** The path as in /proc/PID/cgroup. */
    public String path() {
        return group.path();
    }

    /** Words before a command that enter the group first. */
    public List<String> prefix() {
        return group.prefix();
    }

    /** Ends the processes that are still in it, and removes it. */
    @Override
    public void close() {
        group.remove();
    }
}
