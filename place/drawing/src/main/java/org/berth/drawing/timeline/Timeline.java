package org.berth.drawing.timeline;

import java.util.List;
import org.berth.topology.CpuSet;

/**
 * What a picture of threads over time shows.
 *
 * @param title first line of the picture
 * @param subtitle second line
 * @param threads the most important first: the first ones get colours of their own
 * @param intervalNanos time between two samples; nothing is drawn finer
 * @param allowed CPUs that the process may use; the others are drawn darker
 * @since 0.1.0
 */
public record Timeline(
        String title,
        String subtitle,
        List<ThreadSummary> threads,
        long startNanos,
        long endNanos,
        long intervalNanos,
        CpuRows cpus,
        CpuSet allowed) {
    public Timeline {
        threads = List.copyOf(threads);
    }
}
