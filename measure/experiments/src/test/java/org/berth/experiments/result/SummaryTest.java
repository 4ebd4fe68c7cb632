package org.berth.experiments.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import org.berth.experiments.Arm;
import org.berth.experiments.Claims;
import org.berth.experiments.Experiment;
import org.berth.experiments.Metric;
import org.berth.experiments.ResourceUsage;
import org.berth.experiments.SamplingSummary;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.Trial.Outcome;
import org.berth.experiments.Verdict;
import org.berth.experiments.statistics.Difference;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.threads.MigrationCount;
import org.berth.observation.threads.MigrationCount.Source;
import org.junit.jupiter.api.Test;

class SummaryTest {
    private static final Experiment EXPERIMENT =
            Experiment.of("test", List.of(Arm.of("none", "true"), Arm.of("core", "true")));

    private static final MigrationCount OF_WORKERS = new MigrationCount(2, 2, 2, 1, 1, OptionalLong.of(4));

    private final List<Trial> trials = new ArrayList<>();

    @Test
    void numbersByHand() {
        trial("none", 0, Outcome.COMPLETED, 99, 999); // warm-up: must not count
        trial("none", 1, Outcome.COMPLETED, 10, 100);
        trial("none", 2, Outcome.COMPLETED, 20, 300);
        trial("core", 0, Outcome.COMPLETED, 99, 999);
        trial("core", 1, Outcome.COMPLETED, 9, 10);
        trial("core", 2, Outcome.COMPLETED, 14, 20);
        List<ArmSummary> arms = Summary.of(EXPERIMENT, trials).arms();
        assertThat(arms.get(0).wallSeconds()).hasValueSatisfying(of(2, 15, 10, 20));
        assertThat(arms.get(0).migrations().betweenCpus()).hasValueSatisfying(of(2, 200, 100, 300));
        assertThat(arms.get(0).workerMigrations().betweenCpus()).hasValueSatisfying(of(2, 4, 4, 4));
        assertThat(arms.get(0).workerMigrations().betweenNodes()).hasValueSatisfying(of(2, 1, 1, 1));
        assertThat(arms.get(0).migrations().source()).isEqualTo(Source.KERNEL);
        assertThat(arms.get(0).wallRatio()).isEmpty();
        assertThat(arms.get(1).wallRatio()).hasValueSatisfying(ratio -> {
            assertThat(ratio.estimate()).isCloseTo(Math.sqrt(0.9 * 0.7), within(1e-12));
            assertThat(ratio.pairs()).isEqualTo(2);
        });
        assertThat(arms.get(1).residency()).isEqualTo(new ResidencyShare(6, 8));
    }

    @Test
    void badRunsAreCountedAndNotCompared() {
        trial("none", 1, Outcome.COMPLETED, 10, 0);
        trial("core", 1, Outcome.FAILED, 1, 0);
        trial("none", 2, Outcome.TIMED_OUT, 100, 0);
        trial("core", 2, Outcome.COMPLETED, 5, 0);
        trial("none", 3, Outcome.COMPLETED, 10, 0);
        trial("core", 3, Outcome.COMPLETED, 5, 0);
        List<ArmSummary> arms = Summary.of(EXPERIMENT, trials).arms();
        assertThat(arms.get(0).completed()).isEqualTo(2);
        assertThat(arms.get(0).timedOut()).isEqualTo(1);
        assertThat(arms.get(1).failed()).isEqualTo(1);
        assertThat(arms.get(1).wallRatio()).hasValueSatisfying(ratio -> {
            assertThat(ratio.pairs()).isEqualTo(1);
            assertThat(ratio.estimate()).isCloseTo(0.5, within(1e-12));
        });
    }

    /** An arm that gives up where others work on would look fast. */
    @Test
    void anArmThatFailsMoreOftenIsNeitherBetterNorEquivalent() {
        assertThat(kind(9, 3, 0)).isEqualTo(Verdict.Kind.FAILS_MORE_OFTEN);
        assertThat(kind(10, 3, 2)).isEqualTo(Verdict.Kind.FAILS_MORE_OFTEN);
        assertThat(kind(11, 3, 0)).isEqualTo(Verdict.Kind.SLOWER);
        assertThat(kind(9, 3, 3)).isEqualTo(Verdict.Kind.FASTER);
        assertThat(kind(9, 0, 3)).isEqualTo(Verdict.Kind.FASTER);
        assertThat(kind(10, 0, 0)).isEqualTo(Verdict.Kind.EQUIVALENT);
    }

    /** Of an arm with that time, of whose 12 runs the first few fail, and of the baseline's, too. */
    private Verdict.Kind kind(double seconds, int bad, int badOfBaseline) {
        trials.clear();
        for (int round = 1; round <= 12; round++) {
            double noise = 1 + 0.0001 * (round % 4 - 1.5);
            trial("none", round, round <= badOfBaseline ? Outcome.TIMED_OUT : Outcome.COMPLETED, 10, 0);
            trial("core", round, round <= bad ? Outcome.FAILED : Outcome.COMPLETED, seconds * noise, 0);
        }
        return Summary.of(EXPERIMENT, trials)
                .arms()
                .get(1)
                .verdict(Verdict.MARGIN)
                .kind();
    }

    @Test
    void orderOfTrialsDoesNotMatter() {
        for (int round = 1; round <= 6; round++) {
            trial("none", round, Outcome.COMPLETED, 10 + round, round);
            trial("core", round, Outcome.COMPLETED, 9 + 2 * round, round);
        }
        Summary summary = Summary.of(EXPERIMENT, trials);
        Collections.reverse(trials);
        assertThat(Summary.of(EXPERIMENT, trials)).isEqualTo(summary);
    }

    @Test
    void armWithoutAnyGoodRun() {
        trial("none", 1, Outcome.FAILED, 1, 0);
        ArmSummary core = Summary.of(EXPERIMENT, trials).arms().get(1);
        assertThat(core.wallSeconds()).isEmpty();
        assertThat(core.wallRatio()).isEmpty();
        assertThat(core.migrations().betweenCpus()).isEmpty();
        assertThat(core.residency().share()).isEmpty();
    }

    @Test
    void oneRunWithoutTheKernelsCountMakesAllOfTheArmSampled() {
        trial("none", 1, Outcome.COMPLETED, 10, 100);
        trials.add(trial("none", 2, Outcome.COMPLETED, 10, new MigrationCount(7, 7, 4, 0, 3, OptionalLong.empty())));
        ArmSummary none = Summary.of(EXPERIMENT, trials).arms().get(0);
        assertThat(none.migrations().source()).isEqualTo(Source.SAMPLES);
        assertThat(none.migrations().betweenCpus()).hasValueSatisfying(of(2, 6, 5, 7));
        assertThat(none.workerMigrations().betweenCpus()).hasValueSatisfying(of(2, 4, 4, 4));
        assertThat(none.migrations().betweenCaches()).hasValueSatisfying(of(2, 3, 2, 4));
        assertThat(none.migrations().betweenNodes()).hasValueSatisfying(of(2, 2, 1, 3));
    }

    @Test
    void intervalsHoldForAllArmsTogether() {
        Experiment three =
                Experiment.of("test", List.of(Arm.of("none", "true"), Arm.of("core", "true"), Arm.of("pu", "true")));
        double[] seconds = {9, 9.3, 8.7, 9.1, 8.9, 9.2};
        for (int round = 1; round <= 6; round++) {
            trial("none", round, Outcome.COMPLETED, 10, 0);
            trial("core", round, Outcome.COMPLETED, seconds[round - 1], 0);
            trial("pu", round, Outcome.COMPLETED, seconds[round - 1], 0);
        }
        double[] quotients = DoubleStream.of(seconds).map(one -> one / 10).toArray();
        assertThat(Summary.of(EXPERIMENT, trials)
                        .arms()
                        .get(1)
                        .wallRatio()
                        .orElseThrow()
                        .interval())
                .isEqualTo(Ratio.of(quotients, 0.05).interval());
        assertThat(Summary.of(three, trials)
                        .arms()
                        .get(1)
                        .wallRatio()
                        .orElseThrow()
                        .interval())
                .as("fewer than 8 rounds spend less")
                .isEqualTo(Ratio.of(quotients, 0.0175).interval());
        assertThat(Summary.of(three, trials).verdicts())
                .extracting(Verdict::kind)
                .containsExactly(Verdict.Kind.FASTER, Verdict.Kind.FASTER);
    }

    /** Throughput falls by a tenth while the time does not change; both numbers share the error of their arm. */
    @Test
    void moreIsBetterOfAThroughput() {
        Metric rate = new Metric("rate", "op/s", Metric.Better.HIGHER, Pattern.compile("(.)"));
        Metric job = new Metric("job", "s", Pattern.compile("(.)"));
        Metric late = new Metric("p99", "s", Pattern.compile("(.)"));
        Experiment both = EXPERIMENT.withMetrics(List.of(rate, job, late));
        double[] factors = {0.9, 0.93, 0.87, 0.91, 0.89, 0.92};
        for (int round = 1; round <= 6; round++) {
            double factor = factors[round - 1];
            trials.add(trial(
                    "none", round, Outcome.COMPLETED, 10, OF_WORKERS, Map.of("rate", 1000.0, "job", 7.0, "p99", 8.0)));
            trials.add(trial(
                    "core",
                    round,
                    Outcome.COMPLETED,
                    10,
                    OF_WORKERS,
                    Map.of("rate", 1000 * factor, "job", 7 * factor, "p99", 8 * factor)));
        }

        Summary summary = Summary.of(both, trials);
        ArmSummary core = summary.arms().get(1);

        assertThat(core.metrics().get(0).verdict(Verdict.MARGIN).kind()).isEqualTo(Verdict.Kind.SLOWER);
        assertThat(core.metrics().get(1).verdict(Verdict.MARGIN).kind()).isEqualTo(Verdict.Kind.FASTER);
        assertThat(summary.verdicts().get(0)).isEqualTo(core.metrics().get(0).verdict(Verdict.MARGIN));
        assertThat(core.metricRatio().orElseThrow().interval())
                .as("the number of the verdict does not pay for the others")
                .isEqualTo(Ratio.of(factors, 0.05).interval());
        assertThat(core.metrics().get(2).ratio().orElseThrow().interval())
                .isEqualTo(Ratio.of(factors, 0.025).interval());
        assertThat(Summary.of(EXPERIMENT.withMetric(rate), trials)
                        .arms()
                        .get(1)
                        .metricRatio()
                        .orElseThrow()
                        .interval())
                .isEqualTo(Ratio.of(factors, 0.05).interval());
        // A rule that looks more than once has wider intervals yet, and for the number of the verdict the same with
        // others.
        StoppingRule rule = StoppingRule.of(2, 6, 30, Claims.USUAL);
        double one = width(rule.summary(both.withMetric(rate), trials));
        double two = width(rule.summary(both, trials));
        assertThat(two).isEqualTo(one);
        assertThat(one).isGreaterThan(width(summary));
    }

    /** A user who stops when the numbers look good is wrong in far more than 5 of 100 comparisons. */
    @Test
    void aComparisonWhoseRoundsAreMissingHasNoVerdict() {
        for (int round = 1; round <= 8; round++) {
            trial("none", round, Outcome.COMPLETED, 10, 0);
            trial("core", round, round == 7 ? Outcome.FAILED : Outcome.COMPLETED, 9 + 0.001 * round, 0);
        }
        Verdict stopped =
                Summary.of(EXPERIMENT.withRounds(9), trials).verdicts().get(0);
        assertThat(stopped.kind()).isEqualTo(Verdict.Kind.NOT_ENDED);
        assertThat(stopped.interval()).isEmpty();
        assertThat(stopped.estimate().orElseThrow()).isCloseTo(0.9, within(0.01));
        trial("none", 9, Outcome.COMPLETED, 10, 0);
        trial("core", 9, Outcome.STOPPED, 1, 0);
        assertThat(Summary.of(EXPERIMENT.withRounds(9), trials).verdicts().get(0))
                .isEqualTo(stopped);
        assertThat(Summary.of(EXPERIMENT.withRounds(8), trials)
                        .verdicts()
                        .get(0)
                        .kind())
                .isEqualTo(Verdict.Kind.FAILS_MORE_OFTEN);
    }

    @Test
    void comparisonsOfAFamilyShareTheError() {
        for (int round = 1; round <= 12; round++) {
            trial("none", round, Outcome.COMPLETED, 10, 0);
            trial("core", round, Outcome.COMPLETED, 10 + 0.1 * round, 0);
        }
        double[] quotients = Summary.quotients("core", "none", trials, trial -> OptionalDouble.of(trial.wallSeconds()));
        assertThat(Summary.of(EXPERIMENT.withRounds(12).withClaims(Claims.USUAL.withFamily(5)), trials)
                        .arms()
                        .get(1)
                        .wallRatio()
                        .orElseThrow()
                        .interval())
                .isEqualTo(Ratio.of(quotients, 0.01).interval());
    }

    @Test
    void aNumberNearZeroIsComparedByDifferences() {
        Metric wait = new Metric("wait", "s", Pattern.compile("(.)"));
        double[] ofCore = {0, 0.001, 0.3, 0, 0.0002, 0.1, 0, 0.02};
        double[] ofNone = {0.2, 0, 0.0001, 0.001, 0, 0.4, 0, 0.01};
        ArmMetric core = metricOfCore(wait, ofNone, ofCore);

        assertThat(core.ratio()).isEmpty();
        assertThat(core.verdict(Verdict.MARGIN).kind()).isEqualTo(Verdict.Kind.LEVEL_TOO_LOW);
        assertThat(core.verdict(Verdict.MARGIN).pairs()).isEqualTo(8);
        Difference difference = core.difference().orElseThrow();
        // The median of the 36 means of two differences; 8 pairs have the critical value 3 (Hollander and Wolfe, table
        // A.4), so the interval goes from the fourth mean, -0.1505, by 0.7 of the way to the fifth, -0.15.
        assertThat(difference.estimate()).isCloseTo(0.00000, within(1e-9));
        assertThat(difference.low().orElseThrow()).isCloseTo(-0.15015, within(1e-9));
        assertThat(difference.high().orElseThrow()).isCloseTo(0.14998, within(1e-9));
    }

    @Test
    void zerosOnlyAreNoMissingNumbers() {
        Metric wait = new Metric("wait", "s", Pattern.compile("(.)"));
        ArmMetric core = metricOfCore(wait, new double[6], new double[6]);
        assertThat(core.verdict(Verdict.MARGIN).kind()).isEqualTo(Verdict.Kind.LEVEL_TOO_LOW);
        assertThat(core.difference()).contains(new Difference(0, OptionalDouble.of(0), OptionalDouble.of(0), 6));
    }

    /** Values that vary much and differ in each round have a ratio. */
    @Test
    void aClearDifferenceKeepsItsRatio() {
        Metric wait = new Metric("wait", "s", Pattern.compile("(.)"));
        double[] ofNone = {0.1, 1, 20, 3, 0.5, 7, 2, 9};
        ArmMetric core = metricOfCore(
                wait, ofNone, Arrays.stream(ofNone).map(one -> one / 10).toArray());
        assertThat(core.difference()).isEmpty();
        assertThat(core.verdict(Verdict.MARGIN).kind()).isEqualTo(Verdict.Kind.FASTER);
    }

    private static ArmMetric metricOfCore(Metric metric, double[] ofNone, double[] ofCore) {
        List<Trial> trials = new ArrayList<>();
        for (int round = 1; round <= ofNone.length; round++) {
            trials.add(trial("none", round, Outcome.COMPLETED, 10, OF_WORKERS, Map.of("wait", ofNone[round - 1])));
            trials.add(trial("core", round, Outcome.COMPLETED, 10, OF_WORKERS, Map.of("wait", ofCore[round - 1])));
        }
        return Summary.of(EXPERIMENT.withMetric(metric), trials)
                .arms()
                .get(1)
                .metrics()
                .get(0);
    }

    private static double width(Summary summary) {
        Ratio.Interval interval =
                summary.arms().get(1).metricRatio().orElseThrow().interval().orElseThrow();
        return interval.high() - interval.low();
    }

    private static Consumer<Spread> of(int count, double median, double min, double max) {
        return spread -> {
            assertThat(spread.count()).isEqualTo(count);
            assertThat(spread.median()).isEqualTo(median);
            assertThat(spread.min()).isEqualTo(min);
            assertThat(spread.max()).isEqualTo(max);
        };
    }

    /** Samples saw 5 moves, one of them between nodes, where the kernel counted what is given. */
    private void trial(String arm, int round, Outcome outcome, double seconds, long kernelMoves) {
        trials.add(
                trial(arm, round, outcome, seconds, new MigrationCount(5, 5, 2, 1, 1, OptionalLong.of(kernelMoves))));
    }

    private static Trial trial(String arm, int round, Outcome outcome, double seconds, MigrationCount migrations) {
        return trial(arm, round, outcome, seconds, migrations, Map.of());
    }

    private static Trial trial(
            String arm,
            int round,
            Outcome outcome,
            double seconds,
            MigrationCount migrations,
            Map<String, Double> metrics) {
        return new Trial(
                new ScheduledRun(1, round, 0),
                arm,
                outcome,
                OptionalInt.of(0),
                Duration.ofNanos((long) (seconds * 1e9)),
                metrics,
                new SamplingSummary(10, 1, 20, migrations, OF_WORKERS, new ResidencyShare(3, 4), Duration.ofMillis(2)),
                ResourceUsage.NOTHING,
                0.5,
                Path.of("log"),
                List.of());
    }
}
