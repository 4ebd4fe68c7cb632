package org.berth.observation.internal.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.berth.topology.CpuSet;

/**
 * The load of each CPU over time, from samples of {@code /proc/stat}: a pure step from sample to sample, so that
 * decisions can be repeated from a recording. Immutable.
 *
 * <p>A CPU becomes idle when its share of busy time over the window is at most the lower threshold, and busy when it is at
 * least the upper one; between them it stays what it was. One that is seen for the first time counts as idle below the
 * middle of the two. A CPU whose share is unknown (it was offline) is not idle.
 *
 * @since 0.1.0
 */
public final class LoadHistory {
    private final LoadSettings settings;
    /** Oldest first; at most one more than the window. */
    private final List<CpuTimes> samples;

    private final LoadSnapshot snapshot;

    private LoadHistory(LoadSettings settings, List<CpuTimes> samples, LoadSnapshot snapshot) {
        this.settings = settings;
        this.samples = samples;
        this.snapshot = snapshot;
    }

    /** Nothing seen yet. */
    public static LoadHistory empty(LoadSettings settings) {
        return new LoadHistory(settings, List.of(), LoadSnapshot.unknown());
    }

    /** The load by the samples so far; {@link LoadSnapshot#unknown} before the second one. */
    public LoadSnapshot snapshot() {
        return snapshot;
    }

    /** This and one more sample. */
    public LoadHistory with(CpuTimes sample) {
        int keep = Math.min(samples.size(), settings.window());
        List<CpuTimes> window = new ArrayList<>(samples.subList(samples.size() - keep, samples.size()));
        window.add(sample);
        return new LoadHistory(settings, window, window.size() < 2 ? snapshot : next(window.get(0), sample));
    }

    private LoadSnapshot next(CpuTimes from, CpuTimes to) {
        CpuSet online = to.cpus();
        float[] shares = new float[online.isEmpty() ? 0 : online.last() + 1];
        Arrays.fill(shares, Float.NaN);
        long[] idle = new long[shares.length / Long.SIZE + 1];
        online.forEachIndex(cpu -> {
            double share = to.busyShareSince(from, cpu);
            shares[cpu] = (float) share;
            if (isIdle(share, cpu)) {
                idle[cpu / Long.SIZE] |= 1L << cpu;
            }
        });
        return new LoadSnapshot(snapshot.number() + 1, online, CpuSet.ofLongs(idle), shares);
    }

    private boolean isIdle(double share, int cpu) {
        if (Double.isNaN(share)) {
            return false;
        }
        if (Double.isNaN(snapshot.share(cpu))) {
            return share < (settings.idleAtMost() + settings.busyAtLeast()) / 2;
        }
        return share <= settings.idleAtMost()
                || (share < settings.busyAtLeast() && snapshot.idle().contains(cpu));
    }
}
