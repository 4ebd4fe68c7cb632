package org.berth.observation.internal.threads;

import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;

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
    private long inside;
    private long counted;

    /** Starts with nothing counted. */
    public Residency(Expectation expectation) {
        this.expectation = expectation;
    }

    /** Takes the next sample. Requires that samples come in the order of their times. */
    public void add(ProcessSample sample) {
        for (SampleChanges.Change change : samples.add(sample).changes()) {
            ThreadSnapshot now = change.now();
            if (change.ran() && expectation.concerns(now)) {
                inside += expectation.slotOf(now).contains(now.lastCpu()) ? 1 : 0;
                counted++;
            }
        }
    }

    /** The share so far, over all threads, ended ones included. */
    public ResidencyShare share() {
        return new ResidencyShare(inside, counted);
    }
}
