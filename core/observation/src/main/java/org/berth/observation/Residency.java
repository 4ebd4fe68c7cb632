package org.berth.observation;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.berth.topology.CpuSet;

/**
 * Compares samples with an {@link Expectation}. A sample of a thread counts only when the thread used CPU time since the
 * sample before; a sleeping thread is nowhere.
 *
 * <p><b>Thread safety</b>: none; one thread at a time.
 *
 * @since 0.1.0
 */
public final class Residency {
    private final Expectation expectation;
    private final SampleChanges samples = new SampleChanges();
    private final Map<Integer, Visits> living = new HashMap<>();
    private ResidencyShare endedShare = new ResidencyShare(0, 0);

    /** Starts with nothing counted. */
    public Residency(Expectation expectation) {
        this.expectation = expectation;
    }

    /** Takes the next sample. Requires that samples come in the order of their times. */
    public void add(ProcessSample sample) {
        SampleChanges.Step step = samples.add(sample);
        for (ThreadSnapshot thread : step.ended()) {
            Visits visits = living.remove(thread.tid());
            if (visits != null) {
                endedShare = endedShare.plus(visits.share());
            }
        }
        for (SampleChanges.Change change : step.changes()) {
            ThreadSnapshot now = change.now();
            if (change.ran() && expectation.concerns(now)) {
                living.computeIfAbsent(now.tid(), tid -> new Visits())
                        .add(now.lastCpu(), expectation.slotsOfThread(now));
            }
        }
    }

    /** The share so far, over all threads, ended ones included. */
    public ResidencyShare share() {
        ResidencyShare sum = endedShare;
        for (Visits visits : living.values()) {
            sum = sum.plus(visits.share());
        }
        return sum;
    }

    /** How often one thread was in each of the slots that may be its own. */
    private static final class Visits {
        private long[] inside = new long[1];
        private long counted;

        void add(int cpu, List<CpuSet> slots) {
            if (slots.size() > inside.length) {
                inside = Arrays.copyOf(inside, slots.size());
            }
            for (int slot = 0; slot < slots.size(); slot++) {
                inside[slot] += slots.get(slot).contains(cpu) ? 1 : 0;
            }
            counted++;
        }

        ResidencyShare share() {
            return new ResidencyShare(Arrays.stream(inside).max().orElse(0), counted);
        }
    }
}
