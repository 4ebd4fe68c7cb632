package org.berth.report;

import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.berth.drawing.internal.svg.Markup;
import org.berth.drawing.internal.text.Axis;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;
import org.berth.report.comparison.Quantity;
import org.berth.report.comparison.ReportText;
import org.berth.report.comparison.VerdictText;
import org.berth.text.Words;

/** Medians as bars with their spread, and ratios with their interval: a row an arm. */
final class ReportSpreadCharts {
    private static final int ROW = 50;
    private static final int AXIS = 28;
    private static final int BAR_TOP = 22;
    private static final int BAR_HEIGHT = 16;

    private ReportSpreadCharts() {}

    /** From zero, so that lengths may be compared. */
    static void bars(Markup out, ReportData data, int index) {
        ReportMeasure measure = data.measures().get(index);
        Quantity quantity = measure.quantity();
        List<ReportArm> arms = data.arms();
        Axis scale = Axis.fromZero(
                measure.spreads().stream().flatMap(Optional::stream).mapToDouble(Spread::max));
        int bottom = ROW * arms.size() + 4;
        ReportChart.begin(
                out,
                ReportChart.id("bars", index),
                Words.capital(quantity.name()) + " per run" + quantity.headingSuffix(),
                "Bars: median of the completed runs of each arm. Thin lines: from the smallest to the largest.",
                bottom + AXIS);
        ReportChart.axis(out, scale, 4, bottom, quantity.axisSuffix());
        for (int i = 0; i < arms.size(); i++) {
            ReportArm arm = arms.get(i);
            Optional<Spread> spread = measure.spreads().get(i);
            int top = ROW * i;
            ReportChart.text(out, "name", "1%", top + 16, Words.shorten(arm.name(), ReportChart.NAME_LENGTH));
            ReportChart.text(
                    out,
                    "value end",
                    "99%",
                    top + 16,
                    spread.map(one -> quantity.text(one.median()) + " (" + ReportChart.runs(one.count()) + ")")
                            .orElse("no completed run"));
            if (spread.isPresent()) {
                bar(out, scale, i, top + BAR_TOP, spread.get());
            }
        }
        ReportChart.end(
                out,
                "Bar: median. Thin line: from the smallest to the largest run. The axis begins at 0."
                        + (quantity.higherIsBetter() ? " Longer bars are better." : ""));
    }

    private static void bar(Markup out, Axis scale, int arm, int top, Spread spread) {
        double zero = ReportChart.percent(scale, 0);
        out.empty(
                "rect",
                "class",
                "bar arm" + arm % 5,
                "x",
                Markup.percent(zero),
                "y",
                Integer.toString(top),
                "width",
                Markup.percent(Math.max(0.1, ReportChart.percent(scale, spread.median()) - zero)),
                "height",
                Integer.toString(BAR_HEIGHT));
        range(out, scale, top + BAR_HEIGHT / 2.0, spread.min(), spread.max(), "whisker", 5);
    }

    /** Leaves out arms without numbers; without a ratio there is no picture. */
    static void ratios(Markup out, ReportData data, int index) {
        ReportMeasure measure = data.measures().get(index);
        Quantity quantity = measure.quantity();
        List<Integer> arms = IntStream.range(0, data.arms().size())
                .filter(arm -> measure.ratios().get(arm).isPresent())
                .boxed()
                .toList();
        if (arms.isEmpty()) {
            return;
        }
        Axis scale = Axis.around(DoubleStream.concat(
                DoubleStream.of(
                        1 - data.decision().margin(), 1 + data.decision().margin()),
                measure.ratios().stream().flatMap(Optional::stream).flatMapToDouble(ReportSpreadCharts::numbers)));
        int bottom = ROW * arms.size() + 4;
        ReportChart.begin(
                out,
                ReportChart.id("ratios", index),
                "Ratio to " + Words.shorten(data.baseline().name(), ReportChart.NAME_LENGTH)
                        + ReportChart.of(data, quantity),
                "Points: the median over rounds of the ratio to the baseline. " + quantity.belowOne()
                        + " Thick lines: the 95"
                        + " percent interval. Thin lines: from the smallest to the largest ratio of a round.",
                bottom + AXIS);
        ReportChart.axis(out, scale, 4, bottom, "");
        double margin = data.decision().margin();
        band(out, scale, margin, bottom);
        String one = Markup.percent(ReportChart.percent(scale, 1));
        for (int i = 0; i < arms.size(); i++) {
            int arm = arms.get(i);
            Optional<Ratio> ratio = measure.ratios().get(arm);
            int top = ROW * i;
            String name = data.arms().get(arm).name();
            ReportChart.text(out, "name", "1%", top + 16, Words.shorten(name, ReportChart.NAME_LENGTH));
            ReportChart.text(
                    out,
                    "value end",
                    "99%",
                    top + 16,
                    ReportText.estimate(ratio)
                            + ratio.flatMap(Ratio::interval)
                                    .map(interval -> " (95 %: " + ReportText.interval(ratio) + ")")
                                    .orElse(" (no interval)"));
            // Not through the numbers, which it would cross.
            ReportChart.line(out, "one", one, top + BAR_TOP - 1, one, top + ROW + 2);
            ratio(out, scale, arm, top + BAR_TOP + BAR_HEIGHT / 2.0, ratio);
        }
        ReportChart.end(
                out,
                quantity.belowOne()
                        + " Point: median over rounds. Thick line: 95 % interval. Thin line: all rounds. Grey:"
                        + " the same within " + VerdictText.margin(margin) + "."
                        + ReportChart.beginning(scale));
    }

    /** What counts as the same. */
    static void band(Markup out, Axis scale, double margin, int bottom) {
        double from = ReportChart.percent(scale, 1 - margin);
        out.leaf(
                "rect",
                "",
                "class",
                "same",
                "x",
                Markup.percent(from),
                "y",
                "4",
                "width",
                Markup.percent(ReportChart.percent(scale, 1 + margin) - from),
                "height",
                Integer.toString(bottom - 4));
    }

    private static void ratio(Markup out, Axis scale, int arm, double y, Optional<Ratio> found) {
        found.ifPresent(ratio -> {
            range(out, scale, y, ratio.min(), ratio.max(), "whisker", 3);
            ratio.interval()
                    .ifPresent(interval -> ReportChart.line(
                            out,
                            "interval arm" + arm % 5,
                            Markup.percent(ReportChart.percent(scale, interval.low())),
                            y,
                            Markup.percent(ReportChart.percent(scale, interval.high())),
                            y));
            ReportChart.marker(
                    out,
                    arm,
                    "",
                    Markup.percent(ReportChart.percent(scale, ratio.estimate())),
                    y,
                    ReportText.number(ratio.estimate()));
        });
    }

    private static DoubleStream numbers(Ratio ratio) {
        return DoubleStream.concat(
                DoubleStream.of(ratio.min(), ratio.max(), ratio.estimate()),
                ratio.interval().stream().flatMapToDouble(one -> DoubleStream.of(one.low(), one.high())));
    }

    /** A line with ends. */
    private static void range(Markup out, Axis scale, double y, double low, double high, String style, int cap) {
        String from = Markup.percent(ReportChart.percent(scale, low));
        String to = Markup.percent(ReportChart.percent(scale, high));
        ReportChart.line(out, style, from, y, to, y);
        ReportChart.line(out, style, from, y - cap, from, y + cap);
        ReportChart.line(out, style, to, y - cap, to, y + cap);
    }
}
