package org.berth.report;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.berth.drawing.internal.svg.Markup;
import org.berth.drawing.internal.text.Axis;
import org.berth.drawing.internal.text.Palette;
import org.berth.drawing.timeline.CpuRows;
import org.berth.drawing.timeline.ThreadSummary;
import org.berth.drawing.timeline.TimelineBars;
import org.berth.drawing.timeline.TimelineGrid;
import org.berth.experiments.trial.RunTimeline;
import org.berth.experiments.trial.RunTimeline.RunThread;
import org.berth.observation.threads.CpuRun;
import org.berth.observation.threads.MigrationCount;
import org.berth.text.Words;

/** Threads over CPUs during one run of each arm, on one time scale, next to each other. */
final class ReportTimelines {
    private static final int COLOURS = Palette.SIZE;
    /** The kernel keeps 15 bytes of a name; there is a little more room because the entries wrap. */
    private static final int NAME_LENGTH = 20;

    private static final int LETTER = 6;
    private static final int WIDTH = 1000;
    private static final int STEPS = 200;
    private static final int MOST_ROWS = 64;
    private static final int HEIGHT = 320;
    private static final int HIGHEST_ROW = 44;
    private static final int LOWEST_ROW = 2;
    private static final int LABEL_WIDTH = 58;
    private static final int LABEL_HEIGHT = 13;
    private final Markup out;
    private final CpuRows.Lanes lanes;
    private final List<CpuRows.Lane> rows;
    private final int rowHeight;
    private final double seconds;
    private final Map<String, Integer> colours;

    private ReportTimelines(Markup out, ReportData data) {
        this.out = out;
        this.lanes = CpuRows.of(data.topology()).lanes(MOST_ROWS);
        this.rows = lanes.all();
        this.rowHeight = Math.max(LOWEST_ROW, Math.min(HIGHEST_ROW, HEIGHT / Math.max(1, rows.size())));
        this.colours = colours(data.timelines());
        this.seconds = data.timelines().stream()
                .mapToDouble(RunTimeline::seconds)
                .max()
                .orElse(1);
    }

    /**
     * The busiest threads over all arms; a thread has the same colour in each, so that arms can be laid side by side.
     */
    private static Map<String, Integer> colours(List<RunTimeline> timelines) {
        Map<String, Long> nanos = new LinkedHashMap<>();
        for (RunTimeline timeline : timelines) {
            List<String> keys = keys(timeline.threads());
            for (int i = 0; i < keys.size(); i++) {
                nanos.merge(keys.get(i), timeline.threads().get(i).cpuNanos(), Long::sum);
            }
        }
        Map<String, Integer> colours = new HashMap<>();
        nanos.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(COLOURS)
                .forEach(one -> colours.put(one.getKey(), colours.size()));
        return colours;
    }

    /** What a thread is known by in every run: its name, and its rank among those of that name. */
    private static List<String> keys(List<RunThread> threads) {
        Map<String, Integer> seen = new HashMap<>();
        return threads.stream()
                .map(thread -> thread.track().name())
                .map(name -> seen.merge(name, 1, Integer::sum) + " " + name)
                .toList();
    }

    static void draw(Markup out, ReportData data) {
        if (data.timelines().isEmpty()) {
            out.leaf("p", "No completed run showed a thread that ran between two samples.", "class", "note");
            return;
        }
        ReportTimelines timelines = new ReportTimelines(out, data);
        out.open("div", "class", "cards");
        for (int i = 0; i < data.timelines().size(); i++) {
            timelines.draw(data.timelines().get(i), "timeline" + i);
        }
        out.close();
        out.leaf(
                "p",
                "A row is " + timelines.row() + " that threads used there, averaged over"
                        + " the thread's life where it ran at all. Axes and colours are the same for all arms. The"
                        + " migrations that samples show are a lower bound.",
                "class",
                "note");
    }

    private String row() {
        return lanes.unit().equals("CPU")
                ? "a logical CPU; the height of a bar is the share of the CPU"
                : (lanes.unit().startsWith("L") ? "an " : "a ") + lanes.unit()
                        + "; the height of a bar is the share of its CPUs";
    }

    private void draw(RunTimeline timeline, String id) {
        int height = rowHeight * rows.size();
        String title = timeline.arm() + ", run " + timeline.number();
        out.open("figure", "class", "card").leaf("h3", title);
        out.open("div", "class", "lanes");
        labels(height);
        out.open(
                "svg",
                "class",
                "chart plot",
                "role",
                "img",
                "aria-labelledby",
                id + "-title " + id + "-desc",
                "viewBox",
                "0 0 " + WIDTH + " " + height,
                "preserveAspectRatio",
                "none",
                "height",
                Integer.toString(height));
        out.leaf("title", "Threads over CPUs: " + title, "id", id + "-title");
        out.leaf("desc", describe(timeline), "id", id + "-desc");
        for (int i = 0; i < rows.size(); i++) {
            String band = rows.get(i).node() % 2 == 0 ? "band" : "band other-node";
            out.empty(
                    "rect",
                    "class",
                    band,
                    "x",
                    "0",
                    "y",
                    Integer.toString(i * rowHeight),
                    "width",
                    "" + WIDTH,
                    "height",
                    Integer.toString(Math.max(1, rowHeight - 1)));
        }
        bars(timeline);
        out.close();
        axis();
        out.close();
        legend(timeline);
        out.close();
    }

    private String describe(RunTimeline timeline) {
        return String.format(
                Locale.ROOT,
                "%s over %d CPUs during %.1f s: time to the right, a row for each %s, a colour for each of the busiest.",
                Words.count(timeline.threads().size(), "thread"),
                rows.stream().mapToInt(row -> row.cpus().size()).sum(),
                timeline.seconds(),
                lanes.unit());
    }

    private void labels(int height) {
        out.open(
                "svg",
                "class",
                "labels",
                "aria-hidden",
                "true",
                "width",
                Integer.toString(LABEL_WIDTH),
                "height",
                // Rows of large machines are lower than a letter.
                Integer.toString(height + LETTER));
        int every = Math.max(1, (LABEL_HEIGHT + rowHeight - 1) / rowHeight);
        for (int i = 0; i < rows.size(); i += every) {
            double y = i * rowHeight + Math.max(rowHeight / 2.0 + 4, 10);
            ReportChart.text(
                    out,
                    "tick end",
                    Integer.toString(LABEL_WIDTH - 6),
                    y,
                    rows.get(i).name());
        }
        out.close();
    }

    private void axis() {
        out.open("svg", "class", "time", "aria-hidden", "true", "height", "20");
        Axis axis = Axis.time(seconds, 4);
        for (double mark : axis.marks()) {
            double x = 100 * axis.share(mark);
            String anchor = x < 5 ? "tick" : x > 95 ? "tick end" : "tick middle";
            ReportChart.text(out, anchor, Markup.percent(x), 14, axis.seconds(mark));
        }
        out.close();
    }

    private void bars(RunTimeline timeline) {
        List<ThreadSummary> summaries = timeline.threads().stream()
                .map(thread -> new ThreadSummary(thread.track(), thread.cpuNanos(), MigrationCount.ZERO))
                .toList();
        long end = timeline.startNanos() + (long) (seconds * 1e9);
        int[] colourOfRank = keys(timeline.threads()).stream()
                .mapToInt(key -> colours.getOrDefault(key, COLOURS))
                .toArray();
        TimelineGrid grid = TimelineGrid.of(summaries, timeline.startNanos(), end, STEPS);
        TimelineBars.Plot plot = new TimelineBars.Plot(0, 0, WIDTH, rowHeight, Math.max(1, rowHeight - 1), 1);
        List<String> paths = TimelineBars.paths(grid, colourOfRank, COLOURS + 1, rows, plot);
        for (int colour = 0; colour <= COLOURS; colour++) {
            if (!paths.get(colour).isEmpty()) {
                out.empty("path", "class", style(colour), "d", paths.get(colour));
            }
        }
    }

    private void legend(RunTimeline timeline) {
        List<String> keys = keys(timeline.threads());
        boolean oneProcess =
                timeline.threads().stream().mapToLong(RunThread::pid).distinct().count() == 1;
        int others = timeline.droppedThreads();
        out.open("ul", "class", "legend");
        for (int rank = 0; rank < keys.size(); rank++) {
            RunThread thread = timeline.threads().get(rank);
            int colour = colours.getOrDefault(keys.get(rank), COLOURS);
            if (colour == COLOURS) {
                others++;
                continue;
            }
            entry(
                    style(colour),
                    String.format(
                            Locale.ROOT,
                            "%s (TID %d%s): %.2f s CPU, %s seen",
                            Words.shorten(thread.track().name(), NAME_LENGTH),
                            thread.track().tid(),
                            oneProcess ? "" : " of process " + thread.pid(),
                            thread.cpuNanos() / 1e9,
                            Words.count(migrations(thread), "migration")));
        }
        if (others > 0) {
            entry(style(COLOURS), Words.count(others, "other thread"));
        }
        out.close();
    }

    private void entry(String style, String text) {
        out.open("li").open("svg", "width", "14", "height", "12", "aria-hidden", "true");
        out.empty("rect", "class", style, "width", "12", "height", "12").close();
        out.leaf("span", text).close();
    }

    private static String style(int colour) {
        return colour < COLOURS ? "thread" + colour : "others";
    }

    private static int migrations(RunThread thread) {
        int migrations = 0;
        List<CpuRun> runs = thread.track().runs();
        for (int i = 1; i < runs.size(); i++) {
            migrations += runs.get(i).cpu() == runs.get(i - 1).cpu() ? 0 : 1;
        }
        return migrations;
    }
}
