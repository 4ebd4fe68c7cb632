package org.berth.cli.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.berth.text.Words;

/** The live view of {@code watch} as lines of text: the busiest threads with CPUs and migrations. */
final class LiveTable {
    private static final int NAME_WIDTH = 15;
    private static final int ALLOWED_WIDTH = 12;
    private static final String HEAD = "%7s  %-15s %s %4s  %-12s %6s %6s %8s  %s";

    private LiveTable() {}

    /**
     * @param title first line
     * @param columns width that no line exceeds
     * @param lines maximum number of lines, including title and heading
     */
    static List<String> render(String title, List<ThreadTotals.Row> rows, int columns, int lines) {
        List<String> text = new ArrayList<>();
        text.add(cut(title, columns));
        text.add(cut(
                String.format(
                        Locale.ROOT,
                        HEAD,
                        "TID",
                        "THREAD",
                        "S",
                        "CPU",
                        "ALLOWED",
                        "BUSY",
                        "MIGR.",
                        "CPU TIME",
                        "NODES"),
                columns));
        int shown = Math.max(1, Math.min(rows.size(), lines - 3));
        rows.stream().limit(shown).forEach(row -> text.add(cut(line(row), columns)));
        if (rows.size() > shown) {
            text.add(cut("         and " + Words.count(rows.size() - shown, "more thread"), columns));
        }
        return text;
    }

    /** The same in one line, for a log. */
    static String summary(List<ThreadTotals.Row> rows) {
        double busy = rows.stream().mapToDouble(ThreadTotals.Row::load).sum();
        long migrations = rows.stream().mapToLong(ThreadTotals.Row::migrations).sum();
        String top = rows.stream()
                .limit(3)
                .filter(row -> row.load() >= 0.005)
                .map(row ->
                        String.format(Locale.ROOT, "%s on CPU %d (%.0f %%)", row.name(), row.cpu(), 100 * row.load()))
                .collect(Collectors.joining(", "));
        return Words.count(rows.size(), "thread")
                + String.format(Locale.ROOT, ", %.2f CPUs busy, ", busy)
                + Words.count(migrations, "migration")
                + (top.isEmpty() ? "" : "; " + top);
    }

    private static String line(ThreadTotals.Row row) {
        return String.format(
                Locale.ROOT,
                HEAD,
                row.tid(),
                cut(row.name(), NAME_WIDTH),
                row.state(),
                row.cpu(),
                cut(row.allowed().toString(), ALLOWED_WIDTH),
                String.format(Locale.ROOT, "%.0f %%", 100 * row.load()),
                row.migrations(),
                String.format(Locale.ROOT, "%.2f s", row.cpuNanos() / 1e9),
                nodes(row.nanosByNode()));
    }

    /** "0: 75 %, 1: 25 %"; empty for a thread that has not run yet. */
    private static String nodes(Map<Integer, Long> nanosByNode) {
        long all = nanosByNode.values().stream().mapToLong(Long::longValue).sum();
        return nanosByNode.entrySet().stream()
                .map(node -> String.format(Locale.ROOT, "%d: %.0f %%", node.getKey(), 100.0 * node.getValue() / all))
                .collect(Collectors.joining(", "));
    }

    private static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, Math.max(0, width));
    }
}
