package org.berth.experiments.trial;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.berth.observation.internal.kernel.BalancingCounters;

/**
 * Follows the kernel's counts of NUMA balancing through one run, in bounded memory: with more than {@value #MOST} samples every second one
 * goes, and the pace halves.
 */
final class BalancingRecorder {
    static final int MOST = 64;

    private static final double FIRST_PACE_SECONDS = 0.1;

    private final Path root;
    private final Optional<BalancingCounters> start;
    private List<BalancingSample> samples = new ArrayList<>();
    private double paceSeconds = FIRST_PACE_SECONDS;
    private double nextSeconds;

    /**
     * Begins now.
     *
     * @param wanted whether anything is to be recorded at all
     * @param root / or the root of a recorded machine
     */
    BalancingRecorder(boolean wanted, Path root) {
        this.root = root;
        this.start = wanted ? BalancingCounters.read(root) : Optional.empty();
    }

    /** @param remoteShare if it was read just now; such a sample is never dropped */
    void add(double seconds, OptionalDouble remoteShare) {
        if (start.isEmpty() || (seconds < nextSeconds && remoteShare.isEmpty())) {
            return;
        }
        BalancingCounters.read(root)
                .ifPresent(now -> samples.add(new BalancingSample(seconds, now.since(start.get()), remoteShare)));
        if (samples.size() > MOST) {
            thin();
        }
        nextSeconds = seconds + paceSeconds;
    }

    /** What was seen, in the order of time; empty where the kernel does not count it. */
    List<BalancingSample> samples() {
        return List.copyOf(samples);
    }

    private void thin() {
        List<BalancingSample> kept = new ArrayList<>();
        for (int i = 0; i < samples.size(); i++) {
            if (i % 2 == 0 || samples.get(i).remoteShare().isPresent()) {
                kept.add(samples.get(i));
            }
        }
        samples = kept;
        paceSeconds *= 2;
    }
}
