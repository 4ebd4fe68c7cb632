package org.berth.cli.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.berth.text.Words;

/** The live view of {@code watch} as lines of text: the busiest threads with CPUs and migrations. */
final class LiveTable {
    private static final int ALLOWED_WIDTH = 12;
    private static final int NODES_WIDTH = 20;
    private static final double IDLE = 0.005;

    /**
     * What the user wants to see.
     *
     * @param idle whether threads that do not run have rows, too
     */
    record Choice(Order order, boolean idle) {
        /** The busiest threads first, without idle ones. */
        static final Choice FIRST = new Choice(Order.CPU, false);
    }

    /** Which thread is first. */
    enum Order {
        CPU,
        MIGRATIONS,
        NAME
    }

    private LiveTable() {}

    /**
     * Title, heading and threads.
     *
     * @param nodes whether the machine has several nodes
     * @param columns width that no line exceeds
     * @param lines maximum number of lines, including title and heading
     */
    static List<String> render(
            String title, List<ThreadTotals.Row> rows, Choice choice, boolean nodes, int columns, int lines) {
        Predicate<ThreadTotals.Row> shows = row -> choice.idle() || row.load() >= IDLE;
        List<ThreadTotals.Row> shown = sorted(rows.stream().filter(shows).toList(), choice.order());
        List<String> text = new ArrayList<>();
        text.add(Words.shorten(title, columns));
        text.add(cut(
                line("TID", "S", "CPU", "ALLOWED", "BUSY", "MIGR.", "CPU TIME", nodes ? "NODES" : "", "THREAD", nodes),
                columns));
        int room = Math.max(1, lines - 3);
        shown.stream().limit(room).forEach(row -> text.add(cut(line(row, nodes), columns)));
        int more = Math.max(0, shown.size() - room);
        int idle = rows.size() - shown.size();
        if (more + idle > 0) {
            text.add(cut(
                    "         and "
                            + (more > 0 ? Words.count(more, "more thread") : "")
                            + (more > 0 && idle > 0 ? ", " : "")
                            + (idle > 0 ? Words.count(idle, "idle thread") : ""),
                    columns));
        }
        return text;
    }

    /** Rows come by load. */
    private static List<ThreadTotals.Row> sorted(List<ThreadTotals.Row> rows, Order order) {
        return switch (order) {
            case CPU -> rows;
            case MIGRATIONS ->
                rows.stream()
                        .sorted(Comparator.comparingLong(ThreadTotals.Row::migrations)
                                .reversed())
                        .toList();
            case NAME ->
                rows.stream()
                        .sorted(Comparator.comparing(ThreadTotals.Row::name))
                        .toList();
        };
    }

    /** The same in one line, for a log. */
    static String summary(List<ThreadTotals.Row> rows) {
        double busy = rows.stream().mapToDouble(ThreadTotals.Row::load).sum();
        long migrations = rows.stream().mapToLong(ThreadTotals.Row::migrations).sum();
        String top = rows.stream()
                .limit(3)
                .filter(row -> row.load() >= IDLE)
                .map(row ->
                        String.format(Locale.ROOT, "%s on CPU %d (%.0f %%)", row.name(), row.cpu(), 100 * row.load()))
                .collect(Collectors.joining(", "));
        return counts(rows.size(), busy, migrations) + (top.isEmpty() ? "" : "; " + top);
    }

    /** The first part of it: "304 threads, 1.92 CPUs busy, 199 migrations". */
    static String counts(List<ThreadTotals.Row> rows) {
        return counts(
                rows.size(),
                rows.stream().mapToDouble(ThreadTotals.Row::load).sum(),
                rows.stream().mapToLong(ThreadTotals.Row::migrations).sum());
    }

    private static String counts(int threads, double busy, long migrations) {
        return Words.count(threads, "thread")
                + String.format(Locale.ROOT, ", %.2f CPUs busy, ", busy)
                + Words.count(migrations, "migration");
    }

    private static String line(ThreadTotals.Row row, boolean nodes) {
        return line(
                Integer.toString(row.tid()),
                Character.toString(row.state()),
                Integer.toString(row.cpu()),
                cut(row.allowed().toString(), ALLOWED_WIDTH),
                String.format(Locale.ROOT, "%.0f %%", 100 * row.load()),
                Long.toString(row.migrations()),
                String.format(Locale.ROOT, "%.2f s", row.cpuNanos() / 1e9),
                nodes(row.nanosByNode()),
                row.name(),
                nodes);
    }

    /** The name is last: it has whatever room the terminal has. */
    private static String line(
            String tid,
            String state,
            String cpu,
            String allowed,
            String busy,
            String migrations,
            String cpuTime,
            String byNode,
            String name,
            boolean nodes) {
        String where = nodes ? String.format(Locale.ROOT, "%-" + NODES_WIDTH + "s  ", cut(byNode, NODES_WIDTH)) : "";
        return String.format(
                Locale.ROOT,
                "%7s  %s %4s  %-12s %6s %6s %9s  %s%s",
                tid,
                state,
                cpu,
                allowed,
                busy,
                migrations,
                cpuTime,
                where,
                name);
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
