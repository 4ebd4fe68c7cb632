package org.berth.experiments;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.experiments.RunTimeline.RunThread;
import org.berth.observation.CpuRun;
import org.berth.observation.ThreadTrack;

/**
 * The timeline of the last completed run of each arm, also of those that an interrupted experiment has left.
 *
 * <p><b>Thread safety</b>: none; one thread at a time.
 */
final class Timelines {
    static final String FILE = "timelines.jsonl";

    private static final Pattern RUN = Pattern.compile("(\\d+)-(\\d+)@(\\d+)");
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Map<String, RunTimeline> byArm = new LinkedHashMap<>();

    /** What {@link #write} wrote, by a process before this one; a line that cannot be read is left out. */
    void read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        for (String line : Files.readAllLines(file)) {
            try {
                RunTimeline timeline = timeline(JsonTree.parse(line));
                byArm.put(timeline.arm(), timeline);
            } catch (IOException | NumberFormatException damaged) {
                // A picture less; the numbers are elsewhere.
            }
        }
    }

    /** Takes the place of an earlier run of the same arm; a run that does not count takes nobody's place. */
    void put(Trial trial, TimelineRecorder recorder) {
        RunTimeline timeline = recorder.timeline(trial.arm(), trial.turn());
        if (trial.counts() && !timeline.threads().isEmpty()) {
            byArm.put(trial.arm(), timeline);
        }
    }

    /** In the order of the arms; without those that showed no thread. */
    List<RunTimeline> ofArms(List<String> arms) {
        return arms.stream().map(byArm::get).filter(Objects::nonNull).toList();
    }

    /** A line an arm; times in milliseconds since the first sample, each run as "from-to@CPU". Replaces an older file, whole. */
    void write(Path file) throws IOException {
        Path whole = file.resolveSibling(file.getFileName() + ".new");
        try (BufferedWriter writer = Files.newBufferedWriter(whole)) {
            for (RunTimeline timeline : byArm.values()) {
                writer.write(line(timeline).toString());
                writer.write('\n');
            }
        }
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static RunTimeline timeline(JsonTree line) throws IOException {
        List<RunThread> threads = new ArrayList<>();
        for (JsonTree thread : line.child("threads").childrenByName().values()) {
            List<CpuRun> runs = new ArrayList<>();
            for (String run : thread.texts("runs")) {
                Matcher numbers = RUN.matcher(run);
                if (!numbers.matches()) {
                    throw new IOException("not a run: " + run);
                }
                long from = Long.parseLong(numbers.group(1)) * NANOS_PER_MILLI;
                long to = Long.parseLong(numbers.group(2)) * NANOS_PER_MILLI;
                runs.add(new CpuRun(from, to, Integer.parseInt(numbers.group(3))));
            }
            ThreadTrack track = new ThreadTrack((int) thread.number("tid"), thread.text("name"), runs);
            threads.add(new RunThread(thread.number("pid"), track, nanos(thread.decimal("cpuSeconds"))));
        }
        return new RunTimeline(
                line.text("arm"),
                (int) line.number("number"),
                (int) line.number("round"),
                0,
                nanos(line.decimal("seconds")),
                nanos(line.decimal("resolutionMillis") / 1000),
                (int) line.number("droppedThreads"),
                threads);
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
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
