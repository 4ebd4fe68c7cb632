package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        return Optional.of(new Spread(6, median, min, max));
    }

    private static Optional<Ratio> ratio(double estimate, double low, double high, int pairs) {
        Optional<Ratio.Interval> interval =
                pairs < Ratio.MIN_PAIRS ? Optional.empty() : Optional.of(new Ratio.Interval(low, high));
        return Optional.of(new Ratio(estimate, interval, low, high, pairs));
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
                LEVEL  RUNS      WALL (MIN-MAX)     RATIO TO none   CPU MOVES  NODE MOVES  IN PLACE  FAILED
                none      6  8.25 s (8.10-8.90)                 -  1232 (308)       0 (0)         -       0
                core      6  7.40 s (7.31-7.60)  0.90 (0.88-0.91)      12 (3)       0 (0)    99.8 %       0
                cpu    same as none on this machine (one package)""");
    }

    @Test
    void aDifferenceIsCalledOneOnlyOutsideTheInterval() {
        assertThat(verdict(ratio(0.897, 0.88, 0.91, 6)))
                .isEqualTo(
                        "core took 10.3 % less wall time than none (95 % interval of the ratio 0.880 to 0.910, 6 pairs"
                                + " of runs): more than noise here, which says nothing yet about other machines, jobs or"
                                + " loads.");
        assertThat(verdict(ratio(1.01, 0.98, 1.05, 6)))
                .isEqualTo(
                        "core took 1.0 % more wall time than none, but the 95 % interval of the ratio, 0.980 to 1.050,"
                                + " includes 1: these 6 pairs of runs show no difference that can be told from noise.");
    }

    @Test
    void fewRunsGiveNoInterval() {
        assertThat(verdict(ratio(0.9, 0.9, 0.9, 2))).contains("too few to tell it from noise (--runs 5 or more");
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
