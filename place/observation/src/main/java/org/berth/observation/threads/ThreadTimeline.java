package org.berth.observation.threads;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.berth.observation.internal.threads.SampleChanges;

/**
 * Remembers on which CPU every thread ran over time, for a picture.
 *
 * <p>Memory is bounded. Neighbours on the same CPU are one run; when there are still more than the limit, the
 * resolution is made coarser (of the runs that begin in the same cell of time the longest stands for all), and when not
 * even that is enough, because more threads ended than the limit, the oldest of these are dropped. {@link
 * #resolutionNanos()} and {@link #droppedThreads()} report this.
 *
 * <p><b>Thread safety</b>: none; one thread at a time.
 *
 * @since 0.1.0
 */
public final class ThreadTimeline {
    private static final int DEFAULT_MAX_RUNS = 200_000;
    private static final long FIRST_RESOLUTION_NANOS = 100_000_000;

    private final int maxRuns;
    private final SampleChanges samples = new SampleChanges();
    private final List<TrackBuilder> tracks = new ArrayList<>();
    private final Map<Integer, TrackBuilder> living = new HashMap<>();
    private boolean empty = true;
    private long fromNanos;
    private long toNanos;
    private long resolutionNanos;
    private int droppedThreads;

    /** Remembers as many runs as a picture can show. */
    public ThreadTimeline() {
        this(DEFAULT_MAX_RUNS);
    }

    /**
     * Remembers at most this number of runs (of about 40 bytes each).
     *
     * @throws IllegalArgumentException for fewer than two
     */
    public ThreadTimeline(int maxRuns) {
        if (maxRuns < 2) {
            throw new IllegalArgumentException("a timeline needs room for at least 2 runs, not " + maxRuns);
        }
        this.maxRuns = maxRuns;
    }

    /** Takes the next sample. Requires that samples come in the order of their times. */
    public void add(ProcessSample sample) {
        SampleChanges.Step step = samples.add(sample);
        if (empty) {
            empty = false;
            fromNanos = step.toNanos();
        }
        toNanos = step.toNanos();
        step.ended().forEach(this::end);
        for (SampleChanges.Change change : step.changes()) {
            ThreadSnapshot now = change.now();
            TrackBuilder known = living.get(now.tid());
            if (known != null) {
                known.rename(now.name());
            }
            if (change.ran()) {
                track(now).add(new CpuRun(step.fromNanos(), step.toNanos(), now.lastCpu()));
            }
        }
        shrinkToLimit();
    }

    /** The threads that ran at all, in the order in which they first did. */
    public List<ThreadTrack> tracks() {
        return tracks.stream().map(TrackBuilder::build).toList();
    }

    /** Time of the first sample; 0 before it. */
    public long fromNanos() {
        return fromNanos;
    }

    /** Time of the last sample; 0 before the first. */
    public long toNanos() {
        return toNanos;
    }

    /** Details shorter than this may have been merged; 0 while everything is kept. */
    public long resolutionNanos() {
        return resolutionNanos;
    }

    /** Threads that were forgotten because there were too many. */
    public int droppedThreads() {
        return droppedThreads;
    }

    private TrackBuilder track(ThreadSnapshot thread) {
        return living.computeIfAbsent(thread.tid(), tid -> {
            TrackBuilder track = new TrackBuilder(tid, thread.name());
            tracks.add(track);
            return track;
        });
    }

    private void end(ThreadSnapshot thread) {
        TrackBuilder track = living.remove(thread.tid());
        if (track != null) {
            track.end();
        }
    }

    /** Shrinks to half, so that the work is done rarely. */
    private void shrinkToLimit() {
        if (size() <= maxRuns) {
            return;
        }
        resolutionNanos = Math.max(FIRST_RESOLUTION_NANOS, resolutionNanos);
        coarsen(); // what came since the last time
        while (size() > maxRuns / 2 && resolutionNanos < toNanos - fromNanos) {
            resolutionNanos *= 2;
            coarsen();
        }
        Iterator<TrackBuilder> oldest = tracks.iterator();
        int size = size();
        while (size > maxRuns / 2 && oldest.hasNext()) {
            TrackBuilder track = oldest.next();
            if (!track.alive()) {
                size -= track.size();
                oldest.remove();
                droppedThreads++;
            }
        }
    }

    private void coarsen() {
        tracks.forEach(track -> track.coarsen(fromNanos, resolutionNanos));
    }

    private int size() {
        return tracks.stream().mapToInt(TrackBuilder::size).sum();
    }
}
