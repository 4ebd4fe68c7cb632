package org.berth.experiments.trial;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.trial.RunTimeline.RunThread;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.berth.observation.threads.ThreadTimeline;
import org.berth.observation.threads.ThreadTrack;

/** Remembers where the threads of one run were, in bounded memory. */
final class TimelineRecorder {
    private final Map<Long, OneProcess> processes = new LinkedHashMap<>();

    private static final class OneProcess {
        private final ThreadTimeline timeline = new ThreadTimeline(RunTimeline.MAX_RUNS);
        private final Map<Integer, long[]> firstAndLast = new HashMap<>();

        void add(ProcessSample sample) {
            timeline.add(sample);
            for (ThreadSnapshot thread : sample.threads()) {
                long now = thread.cpuTimeNanos();
                long[] known = firstAndLast.computeIfAbsent(thread.tid(), tid -> new long[] {now, now});
                known[1] = Math.max(known[1], now);
            }
        }

        long cpuNanos(int tid) {
            long[] known = firstAndLast.getOrDefault(tid, new long[2]);
            return known[1] - known[0];
        }
    }

    void add(long pid, ProcessSample sample) {
        processes.computeIfAbsent(pid, unknown -> new OneProcess()).add(sample);
    }

    /** What was seen; without threads when none ran between two samples. */
    RunTimeline timeline(String arm, ScheduledRun run) {
        List<RunThread> all = new ArrayList<>();
        long start = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        long resolution = 0;
        int dropped = 0;
        for (Map.Entry<Long, OneProcess> process : processes.entrySet()) {
            ThreadTimeline timeline = process.getValue().timeline;
            start = Math.min(start, timeline.fromNanos());
            end = Math.max(end, timeline.toNanos());
            resolution = Math.max(resolution, timeline.resolutionNanos());
            dropped += timeline.droppedThreads();
            for (ThreadTrack track : timeline.tracks()) {
                all.add(new RunThread(
                        process.getKey(), track, process.getValue().cpuNanos(track.tid())));
            }
        }
        all.sort(Comparator.comparingLong(RunThread::cpuNanos)
                .reversed()
                .thenComparing(thread -> thread.track().tid()));
        List<RunThread> kept = new ArrayList<>();
        int runs = 0;
        for (RunThread thread : all) {
            int more = thread.track().runs().size();
            if (kept.size() < RunTimeline.MAX_THREADS && runs + more <= RunTimeline.MAX_RUNS) {
                kept.add(thread);
                runs += more;
            }
        }
        boolean empty = processes.isEmpty();
        return new RunTimeline(
                arm,
                run.number(),
                run.round(),
                empty ? 0 : start,
                empty ? 0 : end,
                resolution,
                dropped + all.size() - kept.size(),
                kept);
    }
}
