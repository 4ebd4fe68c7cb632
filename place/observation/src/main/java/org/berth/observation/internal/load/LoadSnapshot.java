package org.berth.observation.internal.load;

import java.util.Arrays;
import org.berth.topology.CpuSet;

/**
 * How busy each CPU is, and which count as idle. Immutable; asking costs nanoseconds, as it is asked for every thread that
 * is placed.
 *
 * @since 0.1.0
 */
public final class LoadSnapshot {
    private static final LoadSnapshot UNKNOWN = new LoadSnapshot(0, CpuSet.empty(), CpuSet.empty(), new float[0]);

    private final long number;
    private final CpuSet online;
    private final CpuSet idle;
    /** Share by osIndex; NaN where it is unknown. */
    private final float[] shares;

    LoadSnapshot(long number, CpuSet online, CpuSet idle, float[] shares) {
        this.number = number;
        this.online = online;
        this.idle = idle;
        this.shares = shares;
    }

    /** Before two samples were taken: no CPU counts as idle. */
    public static LoadSnapshot unknown() {
        return UNKNOWN;
    }

    /**
     * A made-up load: every CPU is busy or idle, without anything between.
     *
     * @param number which sample this stands for, as {@link #number}
     * @param online all CPUs, by osIndex
     * @param busy those of them that are busy
     */
    public static LoadSnapshot of(long number, CpuSet online, CpuSet busy) {
        float[] shares = new float[online.isEmpty() ? 0 : online.last() + 1];
        Arrays.fill(shares, Float.NaN);
        online.forEachIndex(cpu -> shares[cpu] = busy.contains(cpu) ? 1 : 0);
        return new LoadSnapshot(number, online, online.minus(busy), shares);
    }

    /** Which sample this is, counted from 1; 0 when nothing is known yet. */
    public long number() {
        return number;
    }

    /** CPUs that are online, by osIndex. */
    public CpuSet online() {
        return online;
    }

    /** CPUs that count as idle, by osIndex. */
    public CpuSet idle() {
        return idle;
    }

    /** The share of its time that a CPU was busy, interrupts included, from 0 to 1; NaN when it is unknown. */
    public double share(int cpu) {
        return cpu >= 0 && cpu < shares.length ? shares[cpu] : Double.NaN;
    }

    /** "sample 7: CPUs 0-2 idle of 0-3". */
    @Override
    public String toString() {
        return "sample " + number + ": CPUs " + idle + " idle of " + online;
    }
}
