package org.berth.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.berth.drawing.internal.svg.Markup;
import org.berth.drawing.internal.text.Axis;
import org.berth.report.comparison.Quantity;
import org.berth.text.Words;

/** Single runs: in the order of time, where drift is seen, and arm by arm, where the distribution is. */
final class ReportRunCharts {
    private static final int ORDER_HEIGHT = 240;
    private static final int ORDER_TOP = 20;
    private static final int ROW = 62;
    private static final int AXIS = 28;
    private static final int BOX = 11;
    /** Quartiles of fewer numbers are the numbers themselves. */
    private static final int SMALLEST_BOX = 5;
    /** Dots of one arm lie on that number of lines, so that equal ones do not hide each other. */
    private static final int LINES = 3;

    private ReportRunCharts() {}

    static void order(Markup out, ReportData data, int index) {
        ReportMeasure measure = data.measures().get(index);
        Quantity quantity = measure.quantity();
        Axis scale = Axis.around(values(measure.points()));
        int last = measure.points().stream().mapToInt(ReportPoint::number).max().orElse(1);
        Axis numbers = new Axis(0.5, last + 0.5, Math.max(1, Math.ceil(last / 12.0)));
        int bottom = ORDER_HEIGHT;
        ReportChart.begin(
                out,
                ReportChart.id("order", index),
                "Runs in their order" + ReportChart.of(data, quantity) + quantity.headingSuffix(),
                "Each mark is a run, in order of time from left to right; its height is the " + quantity.name()
                        + ". Hollow marks are warm-ups, crosses"
                        + " runs that did not complete. A slope over all arms is drift of the machine.",
                bottom + AXIS + 14);
        for (double mark : scale.marks()) {
            double y = y(scale, mark);
            ReportChart.line(out, "grid", "0%", y, "100%", y);
            ReportChart.text(out, "tick", "0%", y - 3, scale.label(mark) + quantity.axisSuffix());
        }
        for (double mark : numbers.marks()) {
            ReportChart.text(out, "tick middle", x(numbers, mark), bottom + 16, numbers.label(mark));
        }
        ReportChart.text(out, "tick middle", "50%", bottom + 34, "number of the run");
        for (ReportPoint point : measure.points()) {
            String arm = data.arms().get(point.arm()).name();
            String x = x(numbers, point.number());
            if (point.value().isEmpty()) {
                ReportChart.text(out, "bad middle", x, bottom - 4, "✕");
            } else {
                double value = point.value().getAsDouble();
                ReportChart.marker(
                        out,
                        point.arm(),
                        point.counts() ? "" : "hollow",
                        x,
                        y(scale, value),
                        "run " + point.number() + ", " + arm + (point.warmUp() ? ", warm-up" : "") + ": "
                                + quantity.text(value));
            }
        }
        out.close();
        ReportChart.legend(out, data);
        out.leaf(
                "figcaption",
                "Hollow: warm-up, not counted. ✕: did not complete. A slope that all arms share is drift of the machine."
                        + ReportChart.beginning(scale));
        out.close();
    }

    /** Room on the left for the marks of the axis. */
    private static String x(Axis numbers, double number) {
        return Markup.percent(13 + 85 * numbers.share(number));
    }

    private static double y(Axis scale, double value) {
        return ORDER_HEIGHT - (ORDER_HEIGHT - ORDER_TOP) * scale.share(value);
    }

    static void distribution(Markup out, ReportData data, int index) {
        ReportMeasure measure = data.measures().get(index);
        Quantity quantity = measure.quantity();
        List<ReportPoint> counted =
                measure.points().stream().filter(ReportPoint::counts).toList();
        Axis scale = Axis.around(values(counted));
        int bottom = ROW * data.arms().size() + 4;
        ReportChart.begin(
                out,
                ReportChart.id("distribution", index),
                "Distribution of the runs" + ReportChart.of(data, quantity) + quantity.headingSuffix(),
                "One row per arm, one mark per completed run: its " + quantity.name()
                        + ". Boxes: the middle half of the runs, with a line at the" + " median, from five runs on.",
                bottom + AXIS);
        ReportChart.axis(out, scale, 4, bottom, quantity.axisSuffix());
        for (int i = 0; i < data.arms().size(); i++) {
            int arm = i;
            double[] values = values(
                            counted.stream().filter(point -> point.arm() == arm).toList())
                    .sorted()
                    .toArray();
            row(out, scale, quantity, i, data.arms().get(i).name(), values);
        }
        ReportChart.end(
                out,
                "Mark: a completed run. Box: the middle half, line at the median (from 5 runs on)."
                        + ReportChart.beginning(scale));
    }

    private static void row(Markup out, Axis scale, Quantity quantity, int arm, String name, double[] values) {
        int top = ROW * arm;
        ReportChart.text(out, "name", "1%", top + 16, Words.shorten(name, ReportChart.NAME_LENGTH));
        ReportChart.text(out, "value end", "99%", top + 16, ReportChart.runs(values.length));
        double middle = top + 38;
        if (values.length >= SMALLEST_BOX) {
            double low = ReportChart.percent(scale, quantile(values, 0.25));
            double high = ReportChart.percent(scale, quantile(values, 0.75));
            String median = Markup.percent(ReportChart.percent(scale, quantile(values, 0.5)));
            out.empty(
                    "rect",
                    "class",
                    "box",
                    "x",
                    Markup.percent(low),
                    "y",
                    Markup.number(middle - BOX),
                    "width",
                    Markup.percent(Math.max(0.1, high - low)),
                    "height",
                    Integer.toString(2 * BOX));
            ReportChart.line(out, "median", median, middle - BOX, median, middle + BOX);
        }
        for (int i = 0; i < values.length; i++) {
            double y = middle + 6.0 * (i % LINES - 1);
            String x = Markup.percent(ReportChart.percent(scale, values[i]));
            ReportChart.marker(out, arm, "dot", x, y, name + ": " + quantity.text(values[i]));
        }
    }

    /** Linear between neighbours (type 7 of Hyndman and Fan); the numbers are sorted. */
    static double quantile(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) Math.floor(place);
        double above = sorted[Math.min(below + 1, sorted.length - 1)];
        return sorted[below] + (place - below) * (above - sorted[below]);
    }

    private static DoubleStream values(List<ReportPoint> points) {
        return Arrays.stream(
                points.stream().flatMapToDouble(point -> point.value().stream()).toArray());
    }
}
