package org.berth.cli.watch;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Output during a watch. */
interface LiveView {
    void show(WatchTarget target, WatchRecord record);

    /** Clears the output. */
    void clear();

    static LiveView none() {
        return new LiveView() {
            @Override
            public void show(WatchTarget target, WatchRecord record) {}

            @Override
            public void clear() {}
        };
    }

    /** Prints one line each time, for pipes and files. */
    static LiveView lines(PrintWriter out) {
        return new LiveView() {
            @Override
            public void show(WatchTarget target, WatchRecord record) {
                out.println(
                        String.format(Locale.ROOT, "%6.1f s  %s", record.seconds(), LiveTable.summary(record.rows())));
                out.flush();
            }

            @Override
            public void clear() {}
        };
    }

    /**
     * Draws a table again in the same lines.
     *
     * @param columns of the terminal
     * @param rows of the terminal: of a higher table the first lines would scroll away
     */
    static LiveView table(PrintWriter out, int columns, int rows) {
        return new LiveView() {
            private static final int MAX_LINES = 20;
            private int drawn;

            @Override
            public void show(WatchTarget target, WatchRecord record) {
                List<ThreadTotals.Row> threads = record.rows();
                String title = String.format(
                        Locale.ROOT,
                        "%s  %.0f s  %s",
                        record.title(target.pid()),
                        record.seconds(),
                        LiveTable.summary(threads));
                List<String> lines = LiveTable.render(title, threads, columns - 1, Math.min(MAX_LINES, rows - 1));
                clear();
                lines.forEach(out::println);
                out.flush();
                drawn = lines.size();
            }

            @Override
            public void clear() {
                if (drawn > 0) {
                    // To the left, because a terminal shows ^C where the cursor is, up to the first line of the last
                    // table, then clear to the end of the screen.
                    out.print("\r\u001b[" + drawn + "A\u001b[J");
                    drawn = 0;
                }
            }
        };
    }
}
