package org.berth.cli.watch;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.berth.cli.shared.Terminal;

/**
 * A table on a screen of its own, as {@code htop} has it: the terminal's former lines come back at the end, and nothing of the table is
 * in its history. Used by one thread.
 *
 * @see <a href="https://invisible-island.net/xterm/ctlseqs/ctlseqs.html">XTerm Control Sequences</a>
 */
final class LiveScreen implements LiveView {
    private static final String ENTER = "\u001b[?1049h\u001b[?25l";
    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
    private static final String TO_THE_TOP = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";

    private final PrintWriter out;
    private final Supplier<Terminal.Size> size;
    private final boolean colour;
    private final LiveKeys keys;
    private final LiveNames names;
    private boolean drawn;

    /**
     * The screen is entered by the first table.
     *
     * @param size of the terminal at present
     * @param colour whether the heading is bold
     */
    LiveScreen(PrintWriter out, Supplier<Terminal.Size> size, boolean colour, LiveKeys keys, LiveNames names) {
        this.out = out;
        this.size = size;
        this.colour = colour;
        this.keys = keys;
        this.names = names;
    }

    @Override
    public void show(WatchTarget target, WatchRecord record) {
        Map<Integer, String> complete = names.complete();
        List<ThreadTotals.Row> threads = record.rows().stream()
                .map(row -> row.withName(complete.getOrDefault(row.tid(), row.name())))
                .toList();
        String title = String.format(
                Locale.ROOT, "%s  %.0f s  %s", record.title(target.pid()), record.seconds(), LiveTable.counts(threads));
        Terminal.Size now = size.get();
        int columns = now.columns();
        List<String> lines = new ArrayList<>(LiveTable.render(
                title,
                threads,
                keys.choice(),
                record.cpus().hasSeveralNodes(),
                columns - 1,
                now.rows() - (keys.help().isEmpty() ? 0 : 1)));
        if (!keys.help().isEmpty()) {
            lines.add(keys.help().substring(0, Math.min(keys.help().length(), columns - 1)));
        }
        out.print(drawn ? TO_THE_TOP : ENTER + TO_THE_TOP);
        drawn = true;
        for (int i = 0; i < lines.size(); i++) {
            boolean bold = colour && i == 1;
            out.print((bold ? BOLD : "") + lines.get(i) + (bold ? PLAIN : "") + CLEAR_LINE);
            out.print(i + 1 < lines.size() ? "\n" : CLEAR_BELOW);
        }
        out.flush();
    }

    @Override
    public boolean ended() {
        return keys.ended();
    }

    @Override
    public void clear() {
        keys.close();
        names.close();
        if (drawn) {
            out.print(LEAVE);
            out.flush();
            drawn = false;
        }
    }
}
