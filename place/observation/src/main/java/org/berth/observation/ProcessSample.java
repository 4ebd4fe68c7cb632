package org.berth.observation;

import java.util.List;

/**
 * The threads of a process (or of several: thread ids are unique on the machine) at one moment.
 *
 * @param timeNanos when the sample began, on the clock of {@link System#nanoTime()}: only differences mean anything
 * @param threads the living threads in the kernel's order, the leader first
 * @since 0.1.0
 */
public record ProcessSample(long timeNanos, List<ThreadSnapshot> threads) {
    public ProcessSample {
        threads = List.copyOf(threads);
    }
}
