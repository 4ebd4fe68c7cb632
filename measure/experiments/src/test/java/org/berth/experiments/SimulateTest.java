package org.berth.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.berth.experiments.SimulatedRates.Rate;
import org.berth.experiments.statistics.Ratio;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The promises of docs/background/statistics.md, with few experiments each; {@code tools/simulate} makes many. */
@Tag("one-jdk")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class SimulateTest {
    private static final int REPETITIONS = 200;
    /**
     * The chance of one number. A few rates are 1 % above what is stated, which makes it a hundred times as likely for
     * them.
     */
    private static final double CHANCE = 1e-7;

    @Test
    void noNumberIsAboveWhatIsStated() {
        long seed = System.nanoTime();
        Map<Rate, Double> means = new LinkedHashMap<>();
        List<Rate> stated = SimulatedRates.all().stream()
                .filter(rate -> rate.percent() && rate.stated() < 1)
                .toList();
        List<Double> values = stated.parallelStream()
                .map(rate -> Simulate.mean(rate, REPETITIONS, seed))
                .toList();
        for (int i = 0; i < values.size(); i++) {
            means.put(stated.get(i), values.get(i));
        }
        assertThat(stated).hasSizeGreaterThan(100);
        assertThat(Simulate.above(means, REPETITIONS, CHANCE))
                .as("seed %d: %s", seed, means)
                .isEmpty();
    }

    /** Plain intervals that are looked at after every round must be found out. */
    @Test
    void aPromiseThatIsNotKeptIsSeen() {
        Rate peeking = new Rate("", "", "", 0.05, true, seed -> {
            double[] quotients = new Simulation(seed, Simulation.Noise.NORMAL, 0.03)
                    .experiment(30, 1)
                    .get(0);
            boolean ever = false;
            for (int rounds = 5; rounds <= 30; rounds++) {
                ever |= Verdict.of(Optional.of(Ratio.of(Arrays.copyOf(quotients, rounds), 0.05)), Verdict.MARGIN)
                        .isDifference();
            }
            return ever ? 1 : 0;
        });
        long seed = System.nanoTime();
        int repetitions = 5 * REPETITIONS;
        assertThat(Simulate.above(Map.of(peeking, Simulate.mean(peeking, repetitions, seed)), repetitions, CHANCE))
                .as("seed %d", seed)
                .containsExactly(peeking);
    }
}
