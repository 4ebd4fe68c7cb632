package org.berth.observation.threads;

import java.util.List;

/**
 * The CPUs on which one thread ran over time.
 *
 * @param name its last name
 * @param runs in the order of time, without overlap; two neighbours differ in the CPU or have a pause between them
 * @since 0.1.0
 */
public record ThreadTrack(int tid, String name, List<CpuRun> runs) {
    public ThreadTrack {
        runs = List.copyOf(runs);
    }
}
