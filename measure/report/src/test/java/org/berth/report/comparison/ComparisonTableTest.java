package org.berth.report.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.berth.experiments.Claims;
import org.berth.experiments.Metric;
import org.berth.experiments.result.ArmMetric;
import org.berth.experiments.result.ArmMigrations;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.ArmUsage;
import org.berth.experiments.result.BindVerdict;
import org.berth.experiments.result.KernelVerdict;
import org.berth.experiments.result.Summary;
import org.berth.experiments.statistics.Difference;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.threads.MigrationCount;
import org.junit.jupiter.api.Test;

final class ComparisonTableTest {
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
            Optional.empty(),
            Optional.empty(),
            Map.of());

    static final ArmSummary NONE = arm("none", spread(8.25, 8.1, 8.9), Optional.empty(), 1232, 0, 0);

    static Optional<Spread> spread(double median, double min, double max) {
        return Optional.of(new Spread(6, median, min, max, OptionalDouble.of((max - min) / 2 / median)));
    }

    static Optional<Ratio> ratio(double estimate, double low, double high, int pairs) {
        Optional<Ratio.Interval> interval =
                pairs < Ratio.MIN_PAIRS ? Optional.empty() : Optional.of(new Ratio.Interval(low, high));
        OptionalDouble detectable = interval.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(0.042);
        return Optional.of(new Ratio(estimate, interval, detectable, low, high, pairs));
    }

    static ArmSummary arm(
            String name, Optional<Spread> wall, Optional<Ratio> ratio, double moves, long atHome, long counted) {
        return new ArmSummary(
                name,
                6,
                0,
                0,
                0,
                wall,
                ratio,
                List.of(),
                moves(MigrationCount.Source.KERNEL, moves),
                moves(MigrationCount.Source.SAMPLES, moves / 4),
                new ResidencyShare(atHome, counted),
                NO_USAGE);
    }

    private static ArmMigrations moves(MigrationCount.Source source, double number) {
        Optional<Spread> half = spread(number / 2, 0, number);
        return new ArmMigrations(
                source, spread(number, 0, number), half, spread(2, 0, 4), spread(1, 0, 2), spread(0, 0, 0));
    }

    @Test
    void aLineIsAnArm() {
        Summary summary = new Summary(
                List.of(NONE, arm("core", spread(7.4, 7.31, 7.6), ratio(0.897, 0.88, 0.91, 6), 12, 998, 1000)));

        List<String> lines =
                ComparisonTable.render(summary, Map.of("package", "same as none on this machine (one package)"), 120);

        assertThat(String.join("\n", lines)).isEqualTo("""
                ARM   RUNS  FAILED      WALL (MIN-MAX)     CV        RATIO TO none  IN PLACE
                none     6       0  8.25 s (8.10-8.90)  4.8 %                    -         -
                core     6       0  7.40 s (7.31-7.60)  2.0 %  0.897 (0.880-0.910)    99.8 %
                package same as none on this machine (one package)""");
    }

    @Test
    void migrationsByWhatTheyLeave() {
        Summary summary = new Summary(List.of(NONE, arm("core", spread(7, 7, 7), Optional.empty(), 12, 0, 0)));

        assertThat(String.join("\n", MigrationTable.render(summary))).isEqualTo("""
                MIGRATIONS          CPUS      CORES  CACHES  PACKAGES  NODES
                none        1232 (>=308)  616 (154)   2 (2)     1 (1)  0 (0)
                core            12 (>=3)      6 (2)   2 (2)     1 (1)  0 (0)""");
    }

    @Test
    void eachPrintedNumberHasColumnsAndAVerdict() {
        Metric job = new Metric("job", "s", Pattern.compile("(x)"));
        Metric rate = new Metric("rate", "op/s", Metric.Better.HIGHER, Pattern.compile("(x)"));
        Metric lag = new Metric("p99", "ms", Pattern.compile("(x)"));
        Metric silent = new Metric("silent", "s", Pattern.compile("(x)"));
        ArmSummary none = printed(
                NONE,
                new ArmMetric(job, spread(5, 4.9, 5.2), Optional.empty()),
                new ArmMetric(rate, spread(120_000, 110_000, 130_000), Optional.empty()),
                new ArmMetric(lag, spread(0.05, 0.04, 0.06), Optional.empty()),
                new ArmMetric(silent, Optional.empty(), Optional.empty()));
        ArmSummary core = printed(
                arm("core", spread(7, 7, 7), ratio(0.9, 0.8, 0.95, 6), 12, 0, 0),
                new ArmMetric(job, spread(5, 4.9, 5.2), ratio(1, 0.99, 1.01, 6)),
                new ArmMetric(rate, spread(132_000, 121_000, 143_000), ratio(1.1, 1.05, 1.15, 6)),
                new ArmMetric(lag, spread(0.06, 0.05, 0.07), ratio(1.2, 1.1, 1.3, 6)),
                new ArmMetric(silent, Optional.empty(), Optional.empty()));
        Summary summary = new Summary(List.of(none, core));

        assertThat(ComparisonTable.render(summary, Map.of(), 300).get(0))
                .contains("JOB (MIN-MAX)", "RATE (MIN-MAX)", "P99 (MIN-MAX)")
                .doesNotContain("SILENT");
        assertThat(ComparisonTable.render(summary, Map.of(), 300).get(1))
                .contains("120,000 op/s (110,000-130,000)", "0.0500 ms (0.0400-0.0600)");
        assertThat(String.join("\n", ComparisonTable.render(summary, Map.of(), 80)))
                .isEqualTo("""
                ARM   RUNS  FAILED      WALL (MIN-MAX)     CV     RATIO TO none
                none     6       0  8.25 s (8.10-8.90)  4.8 %                 -
                core     6       0  7.00 s (7.00-7.00)  0.0 %  0.90 (0.80-0.95)

                ARM        JOB (MIN-MAX)     CV        RATIO TO none
                none  5.00 s (4.90-5.20)  3.0 %                    -
                core  5.00 s (4.90-5.20)  3.0 %  1.000 (0.990-1.010)

                ARM                   RATE (MIN-MAX)     CV     RATIO TO none
                none  120,000 op/s (110,000-130,000)  8.3 %                 -
                core  132,000 op/s (121,000-143,000)  8.3 %  1.10 (1.05-1.15)

                ARM               P99 (MIN-MAX)      CV     RATIO TO none  IN PLACE
                none  0.0500 ms (0.0400-0.0600)  20.0 %                 -         -
                core  0.0600 ms (0.0500-0.0700)  16.7 %  1.20 (1.10-1.30)         -""");
        assertThat(VerdictText.sentences(summary).subList(0, 5))
                .containsExactly(
                        "core: the same as none in job time within 2 % (90 % CI 1.0 % faster to 1.0 % slower, 6 pairs).",
                        "core: 10 % higher than none in rate, which is better (95 % CI 5 to 15 %, 6 pairs).",
                        "core: 20 % higher than none in p99, which is worse (95 % CI 10 to 30 %, 6 pairs).",
                        "core: no verdict on silent: no round printed it both for this arm and for none; see the logs.",
                        "Differences here exceed the noise on this machine, for this work and load; the confidence of 95 %"
                                + " holds for all arms together, and for the numbers after the first together.");
    }

    @Test
    void manyVerdictsAreATable() {
        Metric job = new Metric("job", "s", Pattern.compile("(x)"));
        Metric rate = new Metric("rate", "op/s", Metric.Better.HIGHER, Pattern.compile("(x)"));
        Metric wait = new Metric("lock-wait", "s", Pattern.compile("(x)"));
        Metric silent = new Metric("silent", "s", Pattern.compile("(x)"));
        ArmSummary none = printed(
                NONE,
                new ArmMetric(job, spread(5, 4.9, 5.2), Optional.empty()),
                new ArmMetric(rate, spread(120_000, 110_000, 130_000), Optional.empty()),
                new ArmMetric(wait, spread(0.0001, 0, 0.3), Optional.empty()),
                new ArmMetric(silent, Optional.empty(), Optional.empty()));
        Difference near = new Difference(0.0002, OptionalDouble.of(-0.1), OptionalDouble.of(0.2), 6);
        ArmMetric[] metrics = {
            new ArmMetric(job, spread(5, 4.9, 5.2), ratio(1, 0.99, 1.01, 6)),
            new ArmMetric(rate, spread(132_000, 121_000, 143_000), ratio(1.1, 1.05, 1.15, 6)),
            new ArmMetric(wait, spread(0.0004, 0, 0.4), Optional.empty(), Optional.of(near)),
            new ArmMetric(silent, Optional.empty(), Optional.empty())
        };
        ArmSummary core = printed(arm("core", spread(7, 7, 7), ratio(0.9, 0.8, 0.95, 6), 12, 0, 0), metrics);
        ArmSummary pu = printed(arm("pu", spread(7, 7, 7), ratio(0.9, 0.8, 0.95, 6), 12, 0, 0), metrics);

        assertThat(VerdictText.sentences(new Summary(List.of(none, core))).get(2))
                .isEqualTo("core: the level of lock-wait is too low to compare: 0.0004 s (0 to 0.40), and with none"
                        + " 0.0001 s (0 to 0.30); difference 0.0002 s (95 % CI -0.10 to 0.20 s, 6 pairs).");
        List<String> table = VerdictText.inText(new Summary(List.of(none, core, pu)));
        assertThat(table.get(0)).containsPattern("NUMBER +ARM +COMPARED WITH none +CHANGE +95 % CI +PAIRS +DETECTABLE");
        assertThat(table.get(2)).containsPattern("job time +pu +same within 2 % ");
        assertThat(table.get(3)).containsPattern("rate +core +better +10 % higher +5 % higher to 15 % higher +6 ");
        assertThat(table.get(5))
                .containsPattern("lock-wait +core +level too low to compare +0.0002 s +-0.10 to 0.20 s +6 +-");
        assertThat(table.get(9)).isEmpty();
        assertThat(table.get(10)).startsWith("Where the level is too low to compare, the change is a difference");
    }

    static ArmSummary printed(ArmSummary arm, ArmMetric... metrics) {
        return new ArmSummary(
                arm.arm(),
                arm.completed(),
                arm.failed(),
                arm.timedOut(),
                arm.badOfBaseline(),
                arm.wallSeconds(),
                arm.wallRatio(),
                List.of(metrics),
                arm.migrations(),
                arm.workerMigrations(),
                arm.residency(),
                arm.usage());
    }

    @Test
    void aDifferenceIsCalledOneOnlyOutsideTheInterval() {
        assertThat(verdict(ratio(0.897, 0.88, 0.91, 6)))
                .isEqualTo("core: 10.3 % faster than none in wall time (95 % CI 9.0 to 12.0 %, 6 pairs).");
        assertThat(verdict(ratio(1.06, 1.03, 1.091, 12)))
                .isEqualTo("core: 6.0 % slower than none in wall time (95 % CI 3.0 to 9.1 %, 12 pairs).");
        assertThat(verdict(ratio(1.01, 0.98, 1.05, 6)))
                .isEqualTo(
                        "core: no significant difference from none in wall time (95 % CI 2.0 % faster to 5.0 % slower,"
                                + " 6 pairs); smallest detectable difference: 4.2 %.");
        assertThat(verdict(ratio(1.001, 0.99, 1.01, 20)))
                .isEqualTo("core: the same as none in wall time within 2 % (90 % CI 1.0 % faster to 1.0 % slower, 20"
                        + " pairs).");
    }

    @Test
    void leavingItToTheKernelIsASentenceAndANumber() {
        ArmSummary core = arm("core", spread(8.3, 8.2, 8.4), ratio(1.003, 0.99, 1.01, 12), 0, 0, 0);
        Summary summary = new Summary(
                List.of(NONE, core),
                Optional.of(new KernelVerdict(
                        "none", "core", ratio(1.003, 0.99, 1.01, 12).orElseThrow())),
                Optional.empty(),
                Claims.USUAL);
        String sentence =
                "Leave it to the kernel: no bound arm is better than none in wall time by more than 2 %; the best of"
                        + " them, core: 0.3 % slower, with a confidence of 95 % at best 1.0 % faster (12 pairs).";
        assertThat(VerdictText.sentences(summary).get(1)).isEqualTo(sentence);
        assertThat(VerdictText.verdicts(summary)).endsWith(sentence);
        List<ArmSummary> many = new ArrayList<>(List.of(NONE));
        for (int i = 0; i < 8; i++) {
            many.add(arm("core" + i, spread(8.3, 8.2, 8.4), ratio(1.003, 0.99, 1.01, 12), 0, 0, 0));
        }
        assertThat(VerdictText.inText(new Summary(many, summary.kernel(), Optional.empty(), Claims.USUAL)))
                .contains(sentence);
        assertThat(VerdictText.kernel(new Summary(List.of(NONE, core)))).isEmpty();
    }

    @Test
    void bindingThatPaysAndBindingThatIsNotSettledAreSentences() {
        ArmSummary bind = arm("bind", spread(7, 7, 7), ratio(0.897, 0.88, 0.91, 6), 0, 0, 0);
        Ratio ratio = ratio(0.9, 0.88, 0.92, 6).orElseThrow();
        Summary pays = new Summary(
                List.of(NONE, bind),
                Optional.empty(),
                Optional.of(new BindVerdict(true, "bind", "balance", ratio)),
                Claims.USUAL);
        assertThat(VerdictText.verdicts(pays))
                .endsWith("Bind: bind: 10.0 % faster than balance in wall time, and better than every arm that leaves"
                        + " placement to the kernel (95 % CI 8.0 to 12.0 %, 6 pairs).");
        Ratio wide = ratio(0.9, 0.79, 1.02, 6).orElseThrow();
        Summary open = new Summary(
                List.of(NONE, bind),
                Optional.empty(),
                Optional.of(new BindVerdict(false, "bind", "balance", wide)),
                Claims.USUAL);
        assertThat(VerdictText.verdicts(open))
                .endsWith(
                        "No difference shown between binding and the kernel: bind: 10 % faster than balance in wall time"
                                + " (95 % CI 21 % faster to 2 % slower, 6 pairs); a comparison with more --runs detects"
                                + " smaller differences.");
    }

    @Test
    void whatDifferencesHoldForIsSaidOnceAndOnlyWithThem() {
        ArmSummary core = arm("core", spread(7, 7, 7), ratio(0.897, 0.88, 0.91, 6), 0, 0, 0);
        ArmSummary pu = arm("pu", spread(7, 7, 7), ratio(0.897, 0.88, 0.91, 6), 0, 0, 0);
        ArmSummary equal = arm("pu", spread(7, 7, 7), ratio(1, 0.9, 1.1, 6), 0, 0, 0);
        assertThat(VerdictText.sentences(new Summary(List.of(NONE, core, pu))))
                .filteredOn(line -> line.contains("for this work and load"))
                .hasSize(1);
        assertThat(VerdictText.sentences(new Summary(List.of(NONE, equal))))
                .noneMatch(line -> line.contains("for this work and load"));
    }

    @Test
    void stabilityIsANumberWithoutAPromise() {
        ArmSummary core = arm("core", spread(8, 7.92, 8.08), ratio(1, 0.9, 1.1, 6), 0, 0, 0);
        ArmSummary none = arm("none", spread(8, 7.84, 8.16), Optional.empty(), 0, 0, 0);
        assertThat(VerdictText.sentences(new Summary(List.of(none, core))).get(1))
                .isEqualTo(
                        "core: its coefficient of variation is 1.0 %, that of none is 2.0 %: 0.5 times as much; there is no"
                                + " confidence interval for this ratio.");
    }

    /** A number is printed to two digits of its interval's width: neither "0.0 % slower to 0.0 % slower" nor decimals of noise. */
    @Test
    void decimalsFollowTheIntervalsWidth() {
        assertThat(verdict(ratio(0.99912, 0.99904, 0.99921, 6)))
                .isEqualTo("core: 0.088 % faster than none in wall time (95 % CI 0.079 to 0.096 %, 6 pairs).");
        assertThat(verdict(ratio(0.7, 0.5214, 0.8765, 6)))
                .isEqualTo("core: 30 % faster than none in wall time (95 % CI 12 to 48 %, 6 pairs).");
        Summary wide = new Summary(List.of(NONE, arm("core", spread(7, 7, 7), ratio(0.7, 0.52, 0.88, 6), 0, 0, 0)));
        assertThat(ComparisonTable.render(wide, Map.of(), 120).get(2)).contains(" 0.70 (0.52-0.88) ");
    }

    @Test
    void mediansThatDifferTheOtherWayAreTold() {
        Summary summary =
                new Summary(List.of(NONE, arm("core", spread(8.4, 8, 9), ratio(0.96, 0.94, 0.98, 6), 0, 0, 0)));
        assertThat(VerdictText.verdicts(summary).get(0))
                .isEqualTo("core: 4.0 % faster than none in wall time (95 % CI 2.0 to 6.0 %, 6 pairs). The medians"
                        + " differ the other way (8.40 s, and 8.25 s): medians compare all runs, the verdict"
                        + " only runs of the same round.");
    }

    @Test
    void anotherMarginIsNamed() {
        ArmSummary core = arm("core", spread(8.3, 8.2, 8.4), ratio(1.003, 0.96, 1.04, 12), 0, 0, 0);
        Summary summary =
                new Summary(List.of(NONE, core), Optional.empty(), Optional.empty(), Claims.USUAL.withMargin(0.055));
        assertThat(VerdictText.verdicts(summary).get(0))
                .startsWith("core: the same as none in wall time within 5.5 % (");
    }

    @Test
    void aComparisonThatWasStoppedHasNoVerdict() {
        Ratio stopped = new Ratio(0.9, Optional.empty(), OptionalDouble.empty(), 0.8, 1, 8);
        assertThat(verdict(Optional.of(stopped)))
                .isEqualTo(
                        "core: no verdict yet: rounds are missing, and whether they are may depend on what the others showed;"
                                + " so far 10.0 % faster than none in wall time (8 pairs).");
    }

    @Test
    void runsFarApartDetectFactorsOnly() {
        Ratio wild = new Ratio(1, Optional.of(new Ratio.Interval(0.2, 3)), OptionalDouble.of(5.33), 0.1, 4, 6);
        assertThat(verdict(Optional.of(wild))).endsWith("smallest detectable difference: a factor of 6.3.");
    }

    @Test
    void fewRunsGiveNoInterval() {
        assertThat(verdict(ratio(0.9, 0.9, 0.9, 2)))
                .isEqualTo(
                        "core: too few runs: its wall time was 10.0 % less than that of none over 2 pairs; an interval needs"
                                + " --runs 5 or more.");
    }

    @Test
    void noCommonRoundGivesNoVerdict() {
        assertThat(verdict(Optional.empty())).contains("no verdict");
    }

    private static String verdict(Optional<Ratio> ratio) {
        double median = 8.25 * ratio.map(Ratio::estimate).orElse(1.0);
        Summary summary = new Summary(List.of(NONE, arm("core", spread(median, median, median), ratio, 0, 0, 0)));
        return VerdictText.sentences(summary).get(0);
    }
}
