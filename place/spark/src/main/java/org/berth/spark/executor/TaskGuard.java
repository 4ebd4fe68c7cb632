package org.berth.spark.executor;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.berth.observation.internal.load.WaitSampler;
import org.berth.observation.internal.load.Waits;
import org.berth.placement.internal.guard.SlotGuard;
import org.berth.placement.internal.guard.SlotWidths;
import org.berth.spark.settings.AffinitySettings;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Widens the slots of tasks while they cost more than they gain, as {@link SlotGuard} decides. One thread calls
 * {@link #update}; any thread may read the counters.
 */
public final class TaskGuard implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskGuard.class);

    private final TaskBinder tasks;
    private final WaitSampler sampler = WaitSampler.ofThisProcess();
    private SlotWidths widths;
    private SlotGuard guard;
    private long tasksBefore;
    private long wideNanos;
    private volatile long widenings;
    private volatile @Nullable String note;

    TaskGuard(TaskBinder tasks, SlotWidths widths) {
        this.tasks = tasks;
        this.widths = widths;
        this.guard = new SlotGuard(widths.widest());
        apply();
    }

    /** Begins anew with other slots. */
    void replace(SlotWidths next) {
        widths = next;
        guard = new SlotGuard(next.widest());
        apply();
    }

    private void apply() {
        int width = guard.width();
        note = width == 0 ? null : "tasks may use " + widths.name(width) + " at present: see " + AffinitySettings.GUARD;
        tasks.widen(width);
    }

    /** How the slots begin, as a part of a sentence; empty when they are as planned. */
    String beginning() {
        return guard.width() == 0 ? "" : "; at first tasks may use " + widths.name(guard.width());
    }

    /**
     * Looks at what has happened since the last call. To be called once a second.
     *
     * @param domain the CPUs of all slots
     * @return a line for the log when the slots are widened
     * @throws RuntimeException when a thread cannot be bound
     */
    Optional<String> update(CpuSet domain) {
        if (guard.widest() == 0 || !tasks.worksSince(tasksBefore)) {
            return Optional.empty();
        }
        tasksBefore = tasks.tasks();
        Waits waits;
        try {
            waits = sampler.sample(tasks.tids(), domain);
        } catch (IOException e) {
            guard = new SlotGuard(0);
            apply();
            return Optional.of("slots stay as they are, because /proc/stat cannot be read: " + e.getMessage());
        }
        int before = guard.width();
        wideNanos += before == 0 ? 0 : waits.elapsedNanos();
        boolean changed = guard.next(waits);
        LOG.debug("Berth: width {}, {}, loss {}", before, waits, SlotGuard.loss(waits));
        if (!changed) {
            return Optional.empty();
        }
        apply();
        if (guard.width() < before) {
            return Optional.empty();
        }
        widenings++;
        return Optional.of(String.format(
                Locale.ROOT,
                "in %.1f s tasks waited %.2f s for the CPUs of their slots while %.2f s of CPUs were idle, the JIT compilers"
                        + " waited %.2f s: for %d s tasks may use %s",
                waits.elapsedNanos() / 1e9,
                waits.waitedNanos() / 1e9,
                waits.idleNanos() / 1e9,
                waits.compilersWaitedNanos() / 1e9,
                guard.holdNanos() / 1_000_000_000,
                widths.name(guard.width())));
    }

    /** How often slots were widened. */
    public long widenings() {
        return widenings;
    }

    /** What is to be known now; empty while slots are as planned. */
    public Optional<String> note() {
        return Optional.ofNullable(note);
    }

    /** For the last line of the log. Not for other threads than that of {@link #update}, unless that has ended. */
    public String summary() {
        return String.format(Locale.ROOT, ", %.0f s with wider slots, %d widenings", wideNanos / 1e9, widenings);
    }

    @Override
    public void close() {
        sampler.close();
    }
}
