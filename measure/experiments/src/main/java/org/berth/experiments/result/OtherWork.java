package org.berth.experiments.result;

import java.util.List;
import java.util.Optional;
import org.berth.experiments.Trial;

/**
 * CPU time of all CPUs that work other than the measured one took during runs, as shares from 0 to 1.
 *
 * @param max of the run with the largest share
 * @param median of the runs
 */
public record OtherWork(double max, double median) {
    /** The daemons of an idle machine stay below. */
    private static final double DISTURBED = 0.05;

    /** Shares of the completed runs; empty where the kernel did not tell. */
    public static Optional<OtherWork> of(List<Trial> trials) {
        double[] shares = trials.stream()
                .filter(Trial::counts)
                .mapToDouble(Trial::othersShare)
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        return shares.length == 0
                ? Optional.empty()
                : Optional.of(new OtherWork(shares[shares.length - 1], shares[shares.length / 2]));
    }

    /** Whether it disturbs the numbers. */
    public boolean disturbs() {
        return max > DISTURBED;
    }
}
