package org.berth.report.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.berth.experiments.Metric;
import org.berth.experiments.result.ArmMetric;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.Summary;
import org.junit.jupiter.api.Test;

/** The sentence that a comparison ends with. */
final class AnswerTest {
    private static final Map<String, String> USES =
            Map.of("core", "berth run --domain core:2 -- job", "pu", "berth run --level pu --threads 2 -- job");

    private static ArmSummary arm(String name, double estimate, double low, double high) {
        return ComparisonTableTest.arm(
                name,
                ComparisonTableTest.spread(8 * estimate, 8 * low, 8 * high),
                ComparisonTableTest.ratio(estimate, low, high, 6),
                0,
                0,
                0);
    }

    private static List<String> lines(ArmSummary... arms) {
        List<ArmSummary> all = new ArrayList<>(List.of(ComparisonTableTest.NONE));
        all.addAll(List.of(arms));
        return Answer.lines(new Summary(all), USES);
    }

    @Test
    void theBestOneIsNamedWithItsLine() {
        assertThat(lines(arm("pu", 0.94, 0.9, 0.98), arm("core", 0.897, 0.88, 0.91)))
                .containsExactly(
                        "core is 9.0 to 12.0 % faster than none in wall time; better than none, too: pu.",
                        "Use: berth run --domain core:2 -- job");
    }

    @Test
    void whereNoArmCanBeMuchBetterThereIsNothingToGain() {
        assertThat(lines(arm("core", 1.01, 0.985, 1.04), arm("pu", 1.2, 1.1, 1.3)))
                .containsExactly("Nothing to gain here: leave it unbound. A gain above 1.5 % would have been seen.");
    }

    @Test
    void whereEveryArmIsWorseThereIsNothingToGain() {
        assertThat(lines(arm("pu", 1.2, 1.1, 1.3)))
                .containsExactly("Nothing to gain here: leave it unbound. Every other arm is worse.");
    }

    /** A wide interval is no reason to call a setting useless. */
    @Test
    void whereAnArmMayBeMuchBetterItIsNotDecided() {
        List<String> lines = lines(arm("core", 1.0, 0.83, 1.18), arm("pu", 1.2, 1.1, 1.3));
        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("NOT DECIDED: core is 17 % faster to 18 % slower than none in wall time; ");
    }

    @Test
    void tooFewRunsDecideNothing() {
        ArmSummary core = ComparisonTableTest.arm(
                "core", ComparisonTableTest.spread(7, 7, 7), ComparisonTableTest.ratio(0.8, 0.8, 0.8, 3), 0, 0, 0);
        assertThat(lines(core)).singleElement().asString().startsWith("NOT DECIDED: core: too few runs");
    }

    @Test
    void moreOfAThroughputIsBetter() {
        Metric rate = new Metric("rate", "op/s", Metric.Better.HIGHER, Pattern.compile("(x)"));
        ArmSummary none = ComparisonTableTest.printed(
                ComparisonTableTest.NONE,
                new ArmMetric(rate, ComparisonTableTest.spread(100, 99, 101), Optional.empty()));
        ArmSummary core = ComparisonTableTest.printed(
                arm("core", 1, 0.9, 1.1),
                new ArmMetric(
                        rate,
                        ComparisonTableTest.spread(110, 109, 111),
                        ComparisonTableTest.ratio(1.1, 1.05, 1.15, 6)));
        Summary summary = new Summary(List.of(none, core));
        assertThat(Answer.lines(summary, Map.of())).containsExactly("core is 5 to 15 % higher than none in rate.");
        assertThat(String.join("\n", ComparisonTable.renderBrief(summary, Map.of(), 100)))
                .isEqualTo("""
                ARM   RUNS        RATE (MIN-MAX)     CV     RATIO TO none  VERDICT
                none     6  100 op/s (99.00-101)  1.0 %                 -        -
                core     6    110 op/s (109-111)  0.9 %  1.10 (1.05-1.15)   better""");
    }
}
