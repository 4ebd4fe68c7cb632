package org.berth.placement.internal.guard;

import org.berth.observation.internal.load.Waits;

/**
 * Decides how wide the slots of an executor are, from one number: the CPU time that threads lose by waiting for the CPUs of
 * their slots. A thread that waits while a CPU of its domain is idle would run there without a slot. The JIT compilers wait
 * because slots keep tasks on every core, and tasks run slow code meanwhile, which costs about half of the wait.
 *
 * <p>When more is lost than a slot gains, slots widen to their L3 cache, then to their node, then to the domain. They become
 * narrow again after a while, and each time this proves wrong, the while doubles. At the start they are one step wide for ten
 * seconds, because compilers work most then. A pure function of the samples. Not thread-safe.
 *
 * <p>The numbers are from recordings on 2 CPUs (docs/decisions): without slots, too, 3 to 4 % of the tasks' time looks lost,
 * because waiting and idling follow each other in a sample; compilers wait for 0.4 to 1.3 CPUs in the first seconds of a job
 * and for 0.1 to 0.3 later.
 */
public final class SlotGuard {
    /** Part of the tasks' CPU time: what a slot gains where it gains anything is of this order. */
    private static final double LOSS = 0.1;

    private static final double COMPILERS = 0.5;

    /** A thread that runs for less than this part of a CPU has nothing to lose. */
    private static final double BUSY = 0.05;

    private static final long SECOND = 1_000_000_000;
    private static final long FIRST_NANOS = 10 * SECOND;
    private static final long SHORTEST_NANOS = 2 * SECOND;
    private static final long LONGEST_NANOS = 64 * SECOND;

    /** How long narrow slots are on trial: their loss lasts until the next look. */
    private static final long TRIAL_NANOS = SECOND;

    private final int widest;
    private int width;
    private long holdNanos = FIRST_NANOS;
    /** How long the slots have had this width without loss. */
    private long calmNanos;

    /**
     * @param widest how many steps there are beyond a slot; 0: slots always stay as they are
     * @param wide whether slots begin one step wide
     */
    public SlotGuard(int widest, boolean wide) {
        this.widest = widest;
        this.width = wide ? Math.min(1, widest) : 0;
    }

    /** How many steps there are beyond a slot. */
    public int widest() {
        return widest;
    }

    /** How many steps the slots are wider than planned. */
    public int width() {
        return width;
    }

    /** How long the slots stay as wide as they are now. */
    public long holdNanos() {
        return holdNanos;
    }

    /** Whether the slots have just become narrow, and the next look is due soon. */
    public boolean isTrial() {
        return width == 0 && widest > 0 && calmNanos < TRIAL_NANOS;
    }

    /** The CPU time that was lost, as a part of the time that the threads ran; 0 when they hardly ran. */
    public static double loss(Waits waits) {
        if (waits.ranNanos() <= BUSY * waits.elapsedNanos()) {
            return 0;
        }
        // A thread that a quota stops waits, too, and its CPU is idle.
        long waited = Math.max(0, waits.waitedNanos() - waits.throttledNanos());
        double lost = Math.min(waited, waits.idleNanos()) + COMPILERS * waits.compilersWaitedNanos();
        return lost / waits.ranNanos();
    }

    /**
     * Decides from a span of time in which there were tasks; one without them teaches nothing.
     *
     * @return whether the width has changed
     */
    public boolean next(Waits waits) {
        if (loss(waits) > LOSS) {
            return widen();
        }
        calmNanos += waits.elapsedNanos();
        if (width == 0 || calmNanos < holdNanos) {
            return false;
        }
        width = 0;
        calmNanos = 0;
        return true;
    }

    private boolean widen() {
        if (width == 0) {
            // Slots that were narrow for long enough have earned a short try again.
            holdNanos = calmNanos < holdNanos ? Math.min(LONGEST_NANOS, 2 * holdNanos) : SHORTEST_NANOS;
        }
        calmNanos = 0;
        if (width == widest) {
            return false;
        }
        width++;
        return true;
    }
}
