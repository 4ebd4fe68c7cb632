package org.berth.binding.internal.guard;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.berth.observation.internal.load.WaitSampler;
import org.berth.observation.internal.load.Waits;
import org.berth.placement.internal.guard.SlotGuard;
import org.berth.placement.internal.guard.SlotWidths;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks now and then at how long threads wait for the CPUs of their slots, and widens the slots as {@link SlotGuard} decides.
 * One thread calls {@link #update} and {@link #replace}; any thread may read the counters.
 */
public final class GuardedSlots implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(GuardedSlots.class.getName());

    private final Threads threads;
    /** Made at the first look: the start of an executor need not pay for it. */
    private volatile @Nullable WaitSampler sampler;

    private final String setting;
    private SlotWidths widths;
    private SlotGuard guard;
    /** Whether threads had nothing to do at the last look; what was counted since then says nothing about slots. */
    private boolean idle = true;

    private final AtomicLong wideNanos = new AtomicLong();
    private final AtomicLong widenings = new AtomicLong();
    private volatile @Nullable String note;

    /** Threads that have slots. */
    public interface Threads {
        /** Whether one has had work since the last call. */
        boolean haveWorked();

        /** The kernel's numbers of those that live. */
        Set<Integer> tids();

        /**
         * Gives the threads that work, and those that will, the CPUs of a width.
         *
         * @throws RuntimeException when a thread cannot be bound; the others are
         */
        void widen(int width);
    }

    /**
     * @param wide whether slots begin wide: the JIT compilers have most to do
     * @param setting what the user has written to have this, for the lines
     */
    public GuardedSlots(Threads threads, SlotWidths widths, boolean wide, String setting) {
        this.threads = threads;
        this.setting = setting;
        this.widths = widths;
        this.guard = new SlotGuard(widths.widest(), wide);
        apply();
    }

    /** Begins anew with other slots. */
    public void replace(SlotWidths next) {
        widths = next;
        guard = new SlotGuard(next.widest(), guard.width() > 0);
        apply();
    }

    private void apply() {
        int width = guard.width();
        note = width == 0 ? null : "tasks may use " + widths.name(width) + " at present (" + setting + ")";
        threads.widen(width);
    }

    /** How the slots begin, as a part of a sentence; empty when they are as planned. */
    public String beginning() {
        return guard.width() == 0 ? "" : "; at first tasks may use " + widths.name(guard.width());
    }

    /**
     * Looks at what has happened since the last call.
     *
     * @param domain the CPUs of all slots
     * @return a line for the log when the slots are widened
     * @throws RuntimeException when a thread cannot be bound
     */
    public Optional<String> update(CpuSet domain) {
        if (guard.widest() == 0 || !threads.haveWorked()) {
            idle = true;
            return Optional.empty();
        }
        Waits waits;
        try {
            WaitSampler present = sampler;
            if (present == null) {
                present = WaitSampler.ofThisProcess();
                sampler = present;
            }
            waits = present.sample(threads.tids(), domain);
        } catch (IOException e) {
            guard = new SlotGuard(0, false);
            apply();
            return Optional.of("slots stay as they are, because /proc/stat cannot be read: " + e.getMessage());
        }
        if (idle) {
            idle = false;
            return Optional.empty();
        }
        int before = guard.width();
        wideNanos.addAndGet(before == 0 ? 0 : waits.elapsedNanos());
        boolean changed = guard.next(waits);
        LOG.log(System.Logger.Level.DEBUG, "width {0}, loss {1}, {2}", before, SlotGuard.loss(waits), waits);
        if (!changed) {
            return Optional.empty();
        }
        apply();
        if (guard.width() < before) {
            return Optional.empty();
        }
        widenings.incrementAndGet();
        return Optional.of(String.format(
                Locale.ROOT,
                "in %.1f s tasks waited %.2f s for the CPUs of their slots while CPUs were idle for %.2f s, and the JIT"
                        + " compilers waited %.2f s: for %d s tasks may use %s",
                waits.elapsedNanos() / 1e9,
                waits.waitedNanos() / 1e9,
                waits.idleNanos() / 1e9,
                waits.compilersWaitedNanos() / 1e9,
                guard.holdNanos() / 1_000_000_000,
                widths.name(guard.width())));
    }

    /** Whether slots are as planned at present, or nothing widens them. */
    public boolean areNarrow() {
        return guard.width() == 0;
    }

    /** The time until {@link #update} is to be called again; threads that have nothing to do lose nothing by narrow slots. */
    public long nextLookMillis() {
        return !idle && guard.isTrial() ? 250 : 1000;
    }

    /** How often slots were widened. */
    public long widenings() {
        return widenings.get();
    }

    /** What is to be known now; empty while slots are as planned. */
    public Optional<String> note() {
        return Optional.ofNullable(note);
    }

    /** A part of the last line of the log. */
    public String summary() {
        return String.format(
                Locale.ROOT, ", %.0f s with wider slots, widened %d times", wideNanos.get() / 1e9, widenings.get());
    }

    @Override
    public void close() {
        WaitSampler present = sampler;
        if (present != null) {
            present.close();
        }
    }
}
