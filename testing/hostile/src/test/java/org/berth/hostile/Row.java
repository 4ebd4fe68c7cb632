package org.berth.hostile;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.berth.text.ForeignText;

/** A row of the table: how often work was done, and what became of it. Thread-safe. */
final class Row {
    /** No run takes as long even on a busy machine. */
    static final long HUNG_NANOS = TimeUnit.SECONDS.toNanos(180);

    static final long HUNG_PROGRAM_NANOS = TimeUnit.SECONDS.toNanos(900);

    private static final int LONGEST_LINE = 1000;

    final String name;
    final String beside;
    final AtomicLong runs = new AtomicLong();
    final AtomicLong refused = new AtomicLong();
    final AtomicLong lost = new AtomicLong();
    final AtomicLong wrong = new AtomicLong();
    final AtomicLong escaped = new AtomicLong();
    final AtomicLong hung = new AtomicLong();
    private final PrintWriter log;
    private final long patienceNanos;
    /** 0 between two runs. */
    private volatile long beganNanos;

    Row(String name, String beside, long patienceNanos, PrintWriter log) {
        this.name = name;
        this.beside = beside;
        this.patienceNanos = patienceNanos;
        this.log = log;
    }

    void begins() {
        beganNanos = System.nanoTime();
    }

    void ends() {
        beganNanos = 0;
        runs.incrementAndGet();
    }

    /** Counts a run that takes too long, once. */
    boolean isHung() {
        long began = beganNanos;
        if (began != 0 && System.nanoTime() - began > patienceNanos) {
            beganNanos = 0;
            hung.incrementAndGet();
            return true;
        }
        return false;
    }

    void wrong(String what) {
        wrong.incrementAndGet();
        tell("wrong", what);
    }

    void lost(String what) {
        lost.incrementAndGet();
        tell("lost", what);
    }

    void escaped(String what) {
        escaped.incrementAndGet();
        tell("escaped", what);
    }

    void lost(Throwable cause) {
        lost(String.valueOf(cause));
        synchronized (log) {
            cause.printStackTrace(log);
            log.flush();
        }
    }

    private void tell(String kind, String what) {
        String line = ForeignText.clean(what);
        line = name + ": " + kind + ": " + line.substring(0, Math.min(LONGEST_LINE, line.length()));
        System.err.println("hostile: " + line);
        synchronized (log) {
            log.println(line);
            log.flush();
        }
    }

    boolean isGood() {
        return lost.get() + wrong.get() + escaped.get() + hung.get() == 0 && runs.get() > 0;
    }

    String markdown() {
        return String.format(
                "| %s | %s | %d | %d | %d | %d | %d | %d |",
                name, beside, runs.get(), refused.get(), lost.get(), wrong.get(), escaped.get(), hung.get());
    }

    String json() {
        return String.format(
                "{\"work\":\"%s\",\"beside\":\"%s\",\"runs\":%d,\"refused\":%d,\"lost\":%d,\"wrong\":%d,\"escaped\":%d,\"hung\":%d}",
                name, beside, runs.get(), refused.get(), lost.get(), wrong.get(), escaped.get(), hung.get());
    }
}
