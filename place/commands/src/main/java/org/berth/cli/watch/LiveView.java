package org.berth.cli.watch;

import java.io.PrintWriter;
import java.util.Locale;

/** Output during a watch. */
interface LiveView {
    void show(WatchTarget target, WatchRecord record);

    /** Whether the user has asked for the end. */
    default boolean ended() {
        return false;
    }

    /** Leaves nothing of it on the terminal. */
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
}
