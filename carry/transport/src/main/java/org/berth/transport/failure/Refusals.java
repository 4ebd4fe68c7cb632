package org.berth.transport.failure;

import java.util.concurrent.TimeUnit;

/** Counts what is refused to peers, and logs it at most once a minute, so that a crowd fills no log. Thread-safe. It is not part of the API. */
public final class Refusals {
    private static final System.Logger LOG = System.getLogger(Refusals.class.getName());
    private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private long count;
    private long untold;
    private long toldNanos = System.nanoTime() - INTERVAL_NANOS;

    public Refusals() {}

    /**
     * Counts one more refusal and keeps its text.
     *
     * @param what in the past tense, such as "refused a connection of HOST: REASON"
     */
    public void add(String what) {
        long since;
        synchronized (this) {
            count++;
            untold++;
            long now = System.nanoTime();
            if (now - toldNanos < INTERVAL_NANOS) {
                return;
            }
            toldNanos = now;
            since = untold;
            untold = 0;
        }
        try {
            LOG.log(System.Logger.Level.WARNING, "berth: " + what + (since > 1 ? "; " + since + " such refusals" : ""));
        } catch (Throwable withoutLog) {
            // The JDK's logger throws an Error when no file descriptor is left, which is when most is refused. The
            // count stays.
        }
    }

    public synchronized long count() {
        return count;
    }
}
