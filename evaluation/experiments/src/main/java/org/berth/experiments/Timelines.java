package org.berth.experiments;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.experiments.RunTimeline.RunThread;

/**
 * The timeline of the last completed run of each arm.
 *
 * <p><b>Thread safety</b>: none; one thread at a time.
 */
final class Timelines {
    static final String FILE = "timelines.jsonl";

    private final Map<String, RunTimeline> byArm = new LinkedHashMap<>();

    /** Takes the place of an earlier run of the same arm; a run that does not count takes nobody's place. */
    void put(Trial trial, TimelineRecorder recorder) {
        RunTimeline timeline = recorder.timeline(trial.arm(), trial.turn());
        if (trial.counts() && !timeline.threads().isEmpty()) {
            byArm.put(trial.arm(), timeline);
        }
    }

    List<RunTimeline> all() {
        return List.copyOf(byArm.values());
    }

    /** A line an arm; times in milliseconds since the first sample, each run as "from-to@CPU". Replaces an older file. */
    void write(Path file) throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            for (RunTimeline timeline : byArm.values()) {
                writer.write(line(timeline).toString());
                writer.write('\n');
            }
        }
    }

    private static JsonObject line(RunTimeline timeline) {
        JsonObject threads = new JsonObject();
        for (RunThread thread : timeline.threads()) {
            // A thread id is unique on the machine, but may come again in a later thread of the same run.
            String key =
                    thread.track().tid() + "/" + (thread.track().runs().get(0).fromNanos() - timeline.startNanos());
            threads.with(
                    key,
                    new JsonObject()
                            .with("pid", thread.pid())
                            .with("tid", thread.track().tid())
                            .with("name", thread.track().name())
                            .with("cpuSeconds", thread.cpuNanos() / 1e9)
                            .with("runs", runs(thread, timeline.startNanos())));
        }
        return new JsonObject()
                .with("kind", "timeline")
                .with("arm", timeline.arm())
                .with("number", timeline.number())
                .with("round", timeline.round())
                .with("seconds", timeline.seconds())
                .with("resolutionMillis", timeline.resolutionNanos() / 1e6)
                .with("droppedThreads", timeline.droppedThreads())
                .with("threads", threads);
    }

    private static List<String> runs(RunThread thread, long startNanos) {
        return thread.track().runs().stream()
                .map(run -> millis(run.fromNanos() - startNanos) + "-" + millis(run.toNanos() - startNanos) + "@"
                        + run.cpu())
                .toList();
    }

    private static long millis(long nanos) {
        return Math.round(nanos / 1e6);
    }
}
