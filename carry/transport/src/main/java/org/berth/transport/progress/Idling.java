package org.berth.transport.progress;

/** Decides how long the next poll blocks, by the wait mode and by how far apart messages were. For one thread at a time. */
final class Idling {
    /** A wake-up takes about as long as this; to spin longer than it costs never pays. */
    private static final long LONGEST_SPIN_NANOS = 50_000;

    private static final double WEIGHT = 0.125;

    private final WaitMode mode;
    private long lastEventNanos = System.nanoTime();
    /** Beyond the longest spin, so that a loop without messages does not begin with one. */
    private double gapNanos = 2.0 * LONGEST_SPIN_NANOS;

    Idling(WaitMode mode) {
        this.mode = mode;
    }

    /** 0 while the loop spins, else without limit. */
    long nextWaitNanos() {
        return switch (mode) {
            case SPIN -> 0;
            case EVENT -> Long.MAX_VALUE;
            case HYBRID -> {
                boolean worthIt = gapNanos < LONGEST_SPIN_NANOS;
                long spun = System.nanoTime() - lastEventNanos;
                yield worthIt && spun < Math.min(LONGEST_SPIN_NANOS, 2 * gapNanos) ? 0 : Long.MAX_VALUE;
            }
        };
    }

    void handled(int events) {
        if (mode == WaitMode.EVENT) {
            return;
        }
        if (events == 0) {
            Thread.onSpinWait();
        } else if (mode == WaitMode.HYBRID) {
            long now = System.nanoTime();
            long gap = Math.min(now - lastEventNanos, 4 * LONGEST_SPIN_NANOS);
            gapNanos += WEIGHT * (gap - gapNanos);
            lastEventNanos = now;
        }
    }
}
