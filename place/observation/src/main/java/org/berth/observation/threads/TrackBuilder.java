package org.berth.observation.threads;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The growing track of one thread in a {@link ThreadTimeline}. */
final class TrackBuilder {
    private final int tid;
    private String name;
    private List<CpuRun> runs = new ArrayList<>();
    private boolean alive = true;

    TrackBuilder(int tid, String name) {
        this.tid = tid;
        this.name = name;
    }

    void rename(String newName) {
        name = newName;
    }

    void end() {
        alive = false;
    }

    boolean alive() {
        return alive;
    }

    int size() {
        return runs.size();
    }

    ThreadTrack build() {
        return new ThreadTrack(tid, name, runs);
    }

    /** Adds a run that is later than all others, or lengthens the last one. */
    void add(CpuRun run) {
        append(runs, run);
    }

    /** In each cell of time only the longest-used CPU of the runs that begin there remains. */
    void coarsen(long originNanos, long cellNanos) {
        List<CpuRun> coarse = new ArrayList<>();
        int from = 0;
        while (from < runs.size()) {
            long cell = cell(runs.get(from), originNanos, cellNanos);
            int to = from + 1;
            while (to < runs.size() && cell(runs.get(to), originNanos, cellNanos) == cell) {
                to++;
            }
            append(coarse, merge(runs.subList(from, to)));
            from = to;
        }
        runs = coarse;
    }

    private static long cell(CpuRun run, long originNanos, long cellNanos) {
        return (run.fromNanos() - originNanos) / cellNanos;
    }

    private static CpuRun merge(List<CpuRun> together) {
        Map<Integer, Long> nanosByCpu = new HashMap<>();
        int longest = together.get(0).cpu();
        for (CpuRun run : together) {
            nanosByCpu.merge(run.cpu(), run.lengthNanos(), Long::sum);
            if (nanosByCpu.getOrDefault(run.cpu(), 0L) > nanosByCpu.getOrDefault(longest, 0L)) {
                longest = run.cpu();
            }
        }
        return new CpuRun(
                together.get(0).fromNanos(), together.get(together.size() - 1).toNanos(), longest);
    }

    private static void append(List<CpuRun> runs, CpuRun run) {
        int last = runs.size() - 1;
        CpuRun before = last < 0 ? run : runs.get(last);
        if (last >= 0 && before.cpu() == run.cpu() && before.toNanos() == run.fromNanos()) {
            runs.set(last, new CpuRun(before.fromNanos(), run.toNanos(), run.cpu()));
        } else {
            runs.add(run);
        }
    }
}
