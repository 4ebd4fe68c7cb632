package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.berth.experiments.ArmSummary;
import org.berth.experiments.ArmUsage;
import org.berth.experiments.Ratio;
import org.berth.experiments.Spread;
import org.berth.experiments.Summary;
import org.berth.observation.MigrationCount;
import org.berth.observation.ResidencyShare;
import org.berth.placement.AffinityLevel;
import org.junit.jupiter.api.Test;

final class CompareTableTest {
    private static final ArmUsage NO_USAGE = new ArmUsage(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of());

    private static final ArmSummary NONE = arm("none", spread(8.25, 8.1, 8.9), Optional.empty(), 1232, 0, 0);

    private static Optional<Spread> spread(double median, double min, double max) {
        return Optional.of(new Spread(6, median, min, max, OptionalDouble.of((max - min) / 2 / median)));
    }

    private static Optional<Ratio> ratio(double estimate, double low, double high, int pairs) {
        Optional<Ratio.Interval> interval =
                pairs < Ratio.MIN_PAIRS ? Optional.empty() : Optional.of(new Ratio.Interval(low, high));
        OptionalDouble detectable = interval.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(0.042);
        return Optional.of(new Ratio(estimate, interval, detectable, low, high, pairs));
    }

    private static ArmSummary arm(
            String name, Optional<Spread> wall, Optional<Ratio> ratio, double moves, long atHome, long counted) {
        return new ArmSummary(
                name,
                6,
                0,
                0,
                wall,
                Optional.empty(),
                ratio,
                Optional.empty(),
                spread(moves, moves, moves),
                spread(0, 0, 0),
                spread(moves / 4, 0, moves),
                spread(0, 0, 0),
                MigrationCount.Source.KERNEL,
                new ResidencyShare(atHome, counted),
                NO_USAGE);
    }

    @Test
    void aLineIsALevel() {
        Summary summary = new Summary(
                List.of(NONE, arm("core", spread(7.4, 7.31, 7.6), ratio(0.897, 0.88, 0.91, 6), 12, 998, 1000)));

        List<String> lines =
                CompareTable.render(summary, Map.of(AffinityLevel.CPU, "same as none on this machine (one package)"));

        assertThat(String.join("\n", lines)).isEqualTo("""
                LEVEL  RUNS      WALL (MIN-MAX)     CV     RATIO TO none   CPU MOVES  NODE MOVES  IN PLACE  FAILED
                none      6  8.25 s (8.10-8.90)  4.8 %                 -  1232 (308)       0 (0)         -       0
                core      6  7.40 s (7.31-7.60)  2.0 %  0.90 (0.88-0.91)      12 (3)       0 (0)    99.8 %       0
                cpu    same as none on this machine (one package)""");
    }

    @Test
    void aDifferenceIsCalledOneOnlyOutsideTheInterval() {
        assertThat(verdict(ratio(0.897, 0.88, 0.91, 6)))
                .isEqualTo("core: 10.3 % faster than none in wall time, 95 % CI 9.0 to 12.0 %, 6 pairs.");
        assertThat(verdict(ratio(1.06, 1.03, 1.091, 12)))
                .isEqualTo("core: 6.0 % slower than none in wall time, 95 % CI 3.0 to 9.1 %, 12 pairs.");
        assertThat(verdict(ratio(1.01, 0.98, 1.05, 6)))
                .isEqualTo("core: no difference from none found in wall time, 95 % CI 2.0 % faster to 5.0 % slower, 6"
                        + " pairs; with these runs 4.2 % could have been seen.");
        assertThat(verdict(ratio(1.001, 0.99, 1.01, 20)))
                .isEqualTo("core: the same as none in wall time within 2 %, 95 % CI 1.0 % faster to 1.0 % slower, 20"
                        + " pairs.");
    }

    @Test
    void whatDifferencesHoldForIsSaidOnceAndOnlyWithThem() {
        ArmSummary core = arm("core", spread(7, 7, 7), ratio(0.897, 0.88, 0.91, 6), 0, 0, 0);
        ArmSummary pu = arm("pu", spread(7, 7, 7), ratio(0.897, 0.88, 0.91, 6), 0, 0, 0);
        ArmSummary equal = arm("pu", spread(7, 7, 7), ratio(1, 0.9, 1.1, 6), 0, 0, 0);
        assertThat(CompareVerdict.sentences(new Summary(List.of(NONE, core, pu))))
                .filteredOn(line -> line.contains("for this work and load"))
                .hasSize(1);
        assertThat(CompareVerdict.sentences(new Summary(List.of(NONE, equal))))
                .noneMatch(line -> line.contains("for this work and load"));
    }

    @Test
    void stabilityIsANumberWithoutAPromise() {
        ArmSummary core = arm("core", spread(8, 7.92, 8.08), ratio(1, 0.9, 1.1, 6), 0, 0, 0);
        ArmSummary none = arm("none", spread(8, 7.84, 8.16), Optional.empty(), 0, 0, 0);
        assertThat(CompareVerdict.sentences(new Summary(List.of(none, core))).get(1))
                .isEqualTo(
                        "core: its runs vary by 1.0 % (standard deviation by mean), those of none by 2.0 %: 0.5 times as"
                                + " much; how sure that is cannot be said.");
    }

    @Test
    void fewRunsGiveNoInterval() {
        assertThat(verdict(ratio(0.9, 0.9, 0.9, 2)))
                .isEqualTo(
                        "core: too few runs to say: its wall time was 10.0 % less than that of none over 2 pairs; --runs"
                                + " 5 or more give an interval.");
    }

    @Test
    void noCommonRoundGivesNoVerdict() {
        assertThat(verdict(Optional.empty())).contains("nothing can be said");
    }

    private static String verdict(Optional<Ratio> ratio) {
        Summary summary = new Summary(List.of(NONE, arm("core", spread(7, 7, 7), ratio, 0, 0, 0)));
        return CompareVerdict.sentences(summary).get(0);
    }
}
