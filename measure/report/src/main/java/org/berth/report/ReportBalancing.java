package org.berth.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.berth.drawing.internal.svg.Markup;
import org.berth.drawing.internal.text.Axis;
import org.berth.experiments.trial.BalancingSample;
import org.berth.experiments.trial.RunTimeline;
import org.berth.observation.internal.kernel.BalancingCounters;

/** What NUMA balancing did during one run of each arm, over time: where the memory lay, hint faults, and pages that moved. */
final class ReportBalancing {
    private static final String WHOLE_MACHINE =
            " The kernel counts this for the whole machine: other programs that run meanwhile are part of it.";

    private static final int HEIGHT = 200;
    private static final int TOP = 20;
    private static final int AXIS = 28;
    private static final int TIME_MARKS = 6;

    private ReportBalancing() {}

    /** Whether there is anything to draw. */
    static boolean isIn(ReportData data) {
        return data.timelines().stream().anyMatch(one -> !one.balancing().isEmpty());
    }

    static void draw(Markup out, ReportData data) {
        out.open("div", "class", "cards");
        chart(
                out,
                data,
                "remote",
                "Memory on nodes not near the CPUs of its threads",
                "Sampled rarely, because each sample stops the program for milliseconds.",
                " %",
                sample -> sample.remoteShare().isEmpty()
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(100 * sample.remoteShare().getAsDouble()));
        chart(
                out,
                data,
                "hint-faults",
                "Hint faults since the start of the run",
                "Each tells the kernel who uses a page; many of them cost time." + WHOLE_MACHINE,
                "",
                sample -> OptionalDouble.of((double) sample.counters().hintFaults()));
        chart(
                out,
                data,
                "migrated",
                "Pages that balancing moved since the start of the run",
                "A line becomes flat once all memory is where it is used." + WHOLE_MACHINE,
                "",
                sample -> OptionalDouble.of((double) sample.counters().pagesMigrated()));
        out.close();
        lines(data).forEach(line -> out.leaf("p", line, "class", "note"));
    }

    /** The totals of each arm, for those who do not see the pictures. */
    static List<String> lines(ReportData data) {
        List<String> lines = new ArrayList<>();
        for (RunTimeline timeline : data.timelines()) {
            if (timeline.balancing().isEmpty()) {
                continue;
            }
            BalancingSample last = timeline.balancing().get(timeline.balancing().size() - 1);
            BalancingCounters counters = last.counters();
            String local = counters.hintFaults() == 0
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            " (%.0f %% local)",
                            100.0 * counters.hintFaultsLocal() / counters.hintFaults());
            lines.add(String.format(
                    Locale.ROOT,
                    "%s: in %.1f s %s hint faults%s, %s pages moved, %s page table entries cleared.",
                    timeline.arm(),
                    last.seconds(),
                    ReportCounters.count((double) counters.hintFaults()),
                    local,
                    ReportCounters.count((double) counters.pagesMigrated()),
                    ReportCounters.count((double) counters.pteUpdates())));
        }
        return lines;
    }

    /** Nothing where no sample has the number, as the remote share on one node. */
    private static void chart(
            Markup out,
            ReportData data,
            String id,
            String title,
            String caption,
            String unit,
            Function<BalancingSample, OptionalDouble> number) {
        List<RunTimeline> timelines = data.timelines().stream()
                .filter(one -> one.balancing().stream()
                        .anyMatch(sample -> number.apply(sample).isPresent()))
                .toList();
        if (timelines.isEmpty()) {
            return;
        }
        Axis values = Axis.fromZero(timelines.stream()
                .flatMap(one -> one.balancing().stream())
                .flatMapToDouble(sample -> number.apply(sample).stream()));
        Axis time = Axis.time(
                timelines.stream()
                        .flatMap(one -> one.balancing().stream())
                        .mapToDouble(BalancingSample::seconds)
                        .max()
                        .orElse(1),
                TIME_MARKS);
        ReportChart.begin(out, id, title, "One line per arm, for its last completed run. " + caption, HEIGHT + AXIS);
        for (double mark : values.marks()) {
            double y = y(values, mark);
            ReportChart.line(out, "grid", "0%", y, "100%", y);
            ReportChart.text(out, "tick", "0%", y - 3, values.label(mark) + unit);
        }
        ReportChart.axis(out, time, TOP, HEIGHT, " s");
        for (RunTimeline timeline : timelines) {
            int arm = data.arms().stream().map(ReportArm::name).toList().indexOf(timeline.arm());
            track(out, timeline, Math.max(0, arm), time, values, unit, number);
        }
        out.close();
        ReportChart.legend(out, data);
        out.leaf("figcaption", caption).close();
    }

    private static void track(
            Markup out,
            RunTimeline timeline,
            int arm,
            Axis time,
            Axis values,
            String unit,
            Function<BalancingSample, OptionalDouble> number) {
        List<BalancingSample> samples = timeline.balancing().stream()
                .filter(sample -> number.apply(sample).isPresent())
                .toList();
        String style = "track arm" + arm % ReportChart.MARKERS;
        for (int i = 1; i < samples.size(); i++) {
            ReportChart.line(
                    out,
                    style,
                    x(time, samples.get(i - 1)),
                    y(values, number.apply(samples.get(i - 1)).orElse(0)),
                    x(time, samples.get(i)),
                    y(values, number.apply(samples.get(i)).orElse(0)));
        }
        BalancingSample last = samples.get(samples.size() - 1);
        double value = number.apply(last).orElse(0);
        String text = unit.isEmpty() ? ReportCounters.count(value) : String.format(Locale.ROOT, "%.1f%s", value, unit);
        ReportChart.marker(out, arm, "dot", x(time, last), y(values, value), timeline.arm() + ": " + text);
    }

    private static String x(Axis time, BalancingSample sample) {
        return Markup.percent(ReportChart.percent(time, sample.seconds()));
    }

    private static double y(Axis values, double value) {
        return HEIGHT - values.share(value) * (HEIGHT - TOP);
    }
}
