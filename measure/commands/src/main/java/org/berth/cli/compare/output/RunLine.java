package org.berth.cli.compare.output;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.berth.cli.shared.Terminal;
import org.jspecify.annotations.Nullable;

/**
 * What runs at present: on a terminal one line, redrawn each second, with the time left of the whole; in a pipe one line per
 * run and one per round. Runs begin and end on one thread.
 */
public final class RunLine implements AutoCloseable {
    private static final String UP = "\u001b[1A\u001b[K";
    private static final long SECOND_MILLIS = 1000;
    private static final int BAR = 20;

    private final PrintWriter out;
    private final boolean live;
    private final int columns;
    private final boolean utf8;
    private @Nullable Thread drawer;
    private boolean drawn;
    private String place = "";
    private String arm = "";
    private String estimates = "";
    private String bound = "";
    private Optional<Duration> left = Optional.empty();
    private final long beginNanos = System.nanoTime();
    private long runNanos;
    private long leftNanos;

    private RunLine(PrintWriter out, boolean live, int columns, boolean utf8) {
        this.out = out;
        this.live = live;
        this.columns = columns;
        this.utf8 = utf8;
    }

    /** Writes to standard error. */
    public static RunLine of(Terminal terminal) {
        return new RunLine(terminal.err(), terminal.redrawsErrors(), terminal.columns(), terminal.utf8());
    }

    /** Writes a line that stays. */
    public synchronized void println(String line) {
        clear();
        out.println(line);
        out.flush();
    }

    /** A run begins. */
    public synchronized void starts(String where, String what) {
        place = where;
        arm = what;
        runNanos = System.nanoTime();
        if (!live) {
            out.print(String.format(Locale.ROOT, "%-12s %-6s ", place, arm));
            out.flush();
            return;
        }
        Thread thread = new Thread(this::draw, "berth-progress");
        thread.setDaemon(true);
        drawer = thread;
        thread.start();
    }

    /**
     * The run ended.
     *
     * @param well whether nothing about it is to be seen for longer
     */
    public synchronized void ends(String how, boolean well) {
        stop();
        if (!live) {
            out.println(how);
            out.flush();
        } else if (!well) {
            println(place + " " + arm + " " + how);
        }
    }

    /**
     * A round ended.
     *
     * @param before the line of a pipe up to the time that is left
     * @param ratios so far
     * @param limit "at most ", or nothing
     * @param after the end of that line
     */
    public synchronized void rounds(String before, String ratios, String limit, Duration time, String after) {
        estimates = ratios;
        bound = limit;
        left = Optional.of(time);
        leftNanos = System.nanoTime();
        if (!live) {
            println(before + ratios + (ratios.isEmpty() ? "" : "; ") + limit + "about " + RoughTime.of(time) + " left"
                    + after);
        } else if (!after.isEmpty()) {
            println(limit + "about " + RoughTime.of(time) + " left" + after);
        }
    }

    private void draw() {
        try {
            while (show()) {
                Thread.sleep(SECOND_MILLIS);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns false when another run, or none, is drawn. */
    private synchronized boolean show() {
        if (drawer != Thread.currentThread()) {
            return false;
        }
        clear();
        out.println(text(System.nanoTime()));
        out.flush();
        drawn = true;
        return true;
    }

    private String text(long nowNanos) {
        StringBuilder line = new StringBuilder(place + "  " + arm + " " + (nowNanos - runNanos) / 1_000_000_000 + " s");
        left.ifPresent(known -> {
            double rest = Math.max(1e9, known.toNanos() - (double) (nowNanos - leftNanos));
            double part = 1 - rest / (rest + (nowNanos - beginNanos));
            line.append("  ").append(bar(part)).append("  ").append(bound);
            line.append("about ")
                    .append(RoughTime.of(Duration.ofNanos((long) rest)))
                    .append(" left");
        });
        if (!estimates.isEmpty()) {
            line.append("  ").append(estimates);
        }
        return line.length() < columns ? line.toString() : line.substring(0, columns - 1);
    }

    private String bar(double part) {
        int full = (int) Math.round(BAR * part);
        return (utf8 ? "\u2588" : "#").repeat(full)
                + (utf8 ? "\u2591" : ".").repeat(BAR - full)
                + String.format(Locale.ROOT, " %.0f %%", 100 * part);
    }

    private void clear() {
        if (drawn) {
            out.print(UP);
            drawn = false;
        }
    }

    private void stop() {
        Thread present = drawer;
        drawer = null;
        if (present != null) {
            present.interrupt();
        }
        clear();
        out.flush();
    }

    /** Nothing is redrawn any more. */
    @Override
    public synchronized void close() {
        stop();
    }
}
