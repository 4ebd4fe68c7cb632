package org.berth.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is announced after each round of random sequences of run times, next to what the runs to come then take. */
final class TimeLeftTest {
    private static final int EXPERIMENTS = 2_000;
    private static final double RIGHT = 0.2;

    /** One experiment: all durations are known beforehand, as no user knows them. */
    private static final class Sequence {
        private final Random random;
        private final List<String> arms = new ArrayList<>();
        private final List<List<Double>> rounds = new ArrayList<>();
        private final TimeLeft left = new TimeLeft();

        /** @param noise a factor of 1 on average */
        Sequence(long seed, ToDoubleFunction<Random> noise) {
            random = new Random(seed);
            int count = 2 + random.nextInt(4);
            List<Double> means = new ArrayList<>();
            for (int arm = 0; arm < count; arm++) {
                arms.add("arm-" + arm);
                means.add(0.1 + 20 * random.nextDouble());
                // The first run fetches files, say.
                left.add(arms.get(arm), true, seconds(means.get(arm) * (1 + 2 * random.nextDouble())));
            }
            int number = 5 + random.nextInt(16);
            for (int round = 0; round < number; round++) {
                rounds.add(means.stream()
                        .map(mean -> mean * noise.applyAsDouble(random))
                        .toList());
            }
        }

        /** The quotient of what is announced and what is true, after each round but the last. */
        List<Double> announced() {
            List<Double> quotients = new ArrayList<>();
            for (int round = 0; round < rounds.size() - 1; round++) {
                for (int arm = 0; arm < arms.size(); arm++) {
                    left.add(arms.get(arm), false, seconds(rounds.get(round).get(arm)));
                }
                List<String> toCome = Collections.nCopies(rounds.size() - 1 - round, arms).stream()
                        .flatMap(List::stream)
                        .toList();
                double truth = rounds.subList(round + 1, rounds.size()).stream()
                        .flatMap(List::stream)
                        .mapToDouble(Double::doubleValue)
                        .sum();
                quotients.add(left.of(toCome).toNanos() / 1e9 / truth);
            }
            return quotients;
        }

        private static Duration seconds(double seconds) {
            return Duration.ofNanos(Math.round(seconds * 1e9));
        }
    }

    private static double share(ToDoubleFunction<Random> noise) {
        List<Double> all = new ArrayList<>();
        for (long seed = 1; seed <= EXPERIMENTS; seed++) {
            List<Double> quotients = new Sequence(seed, noise).announced();
            all.addAll(quotients.subList(1, quotients.size()));
        }
        return all.stream().filter(one -> Math.abs(one - 1) <= RIGHT).count() / (double) all.size();
    }

    @ParameterizedTest
    @CsvSource({"0.05, 1", "0.10, 0.999", "0.15, 0.99"})
    void fromTheSecondRoundOnItIsRightByAFifthWhereRunsVaryUpToThat(double most, double share) {
        assertThat(share(random -> 1 - most + 2 * most * random.nextDouble())).isGreaterThanOrEqualTo(share);
    }

    /** Single rounds at the end may be as far off as their runs are. */
    @Test
    void aStandardDeviationOfThatSizeIsMetNineTimesInTen() {
        assertThat(share(random -> Math.max(0.3, 1 + 0.15 * random.nextGaussian())))
                .isGreaterThan(0.9);
    }

    /** A mean is never beyond the longest run, whatever the runs do: they double, or one takes a hundred times as long. */
    @Test
    void itNeverExceedsTheRunsToComeTimesTheLongestOne() {
        TimeLeft left = new TimeLeft();
        double longest = 0;
        for (int round = 1; round <= 20; round++) {
            double seconds = round == 10 ? 100 : round;
            longest = Math.max(longest, seconds);
            left.add("none", false, Duration.ofMillis(Math.round(1000 * seconds)));
            assertThat(left.of(Collections.nCopies(20 - round, "none")).toMillis())
                    .isLessThanOrEqualTo(Math.round(1000 * longest * (20 - round)));
        }
        assertThat(left.of(List.of())).isZero();
    }

    @Test
    void armsThatLeaveAreLeftOutAndAWarmUpCountsUntilThereIsARun() {
        TimeLeft left = new TimeLeft();
        assertThat(left.of(List.of("none"))).isZero();
        left.add("none", true, Duration.ofSeconds(9));
        left.add("core", true, Duration.ofSeconds(5));
        assertThat(left.of(List.of("none", "core", "none"))).isEqualTo(Duration.ofSeconds(23));
        assertThat(left.of(List.of("new"))).isEqualTo(Duration.ofSeconds(7));
        left.add("none", false, Duration.ofSeconds(2));
        left.add("none", false, Duration.ofSeconds(4));
        assertThat(left.of(List.of("none", "core"))).isEqualTo(Duration.ofSeconds(8));
        assertThat(left.of(List.of("none"))).isEqualTo(Duration.ofSeconds(3));
    }
}
