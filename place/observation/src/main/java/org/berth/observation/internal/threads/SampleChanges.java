package org.berth.observation.internal.threads;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.jspecify.annotations.Nullable;

/** Compares each sample with the one before: threads that ran meanwhile, new ones, ended ones. */
public final class SampleChanges {
    private Map<Integer, ThreadSnapshot> previous = Map.of();
    private OptionalLong previousTimeNanos = OptionalLong.empty();

    /**
     * One thread of the newer sample.
     *
     * @param before the same thread in the sample before; null when it is new
     * @param ran whether it used CPU time between the two samples; false in the very first sample, where it cannot be known
     */
    public record Change(@Nullable ThreadSnapshot before, ThreadSnapshot now, boolean ran) {}

    /**
     * What changed from one sample to the next.
     *
     * @param fromNanos time of the sample before; of this one when it is the first
     */
    public record Step(boolean first, long fromNanos, long toNanos, List<Change> changes, List<ThreadSnapshot> ended) {}

    /** Takes the next sample; they come in the order of their times. */
    public Step add(ProcessSample sample) {
        boolean first = previousTimeNanos.isEmpty();
        long fromNanos = previousTimeNanos.orElse(sample.timeNanos());
        Map<Integer, ThreadSnapshot> gone = new HashMap<>(previous);
        Map<Integer, ThreadSnapshot> current = new HashMap<>();
        List<Change> changes = new ArrayList<>(sample.threads().size());
        for (ThreadSnapshot now : sample.threads()) {
            ThreadSnapshot before = previous.get(now.tid());
            if (before != null && before.cpuTimeNanos() > now.cpuTimeNanos()) {
                before = null; // CPU time never shrinks: a new thread got the number of one that ended
            } else {
                gone.remove(now.tid());
            }
            long usedBefore = before == null ? 0 : before.cpuTimeNanos();
            changes.add(new Change(before, now, !first && now.cpuTimeNanos() > usedBefore));
            current.put(now.tid(), now);
        }
        previous = current;
        previousTimeNanos = OptionalLong.of(sample.timeNanos());
        return new Step(first, fromNanos, sample.timeNanos(), changes, List.copyOf(gone.values()));
    }
}
