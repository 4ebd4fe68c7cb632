package org.berth.experiments.trial;

import com.fasterxml.jackson.annotation.JsonProperty;
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
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.experiments.Trial;
import org.berth.experiments.trial.RunTimeline.RunThread;
import org.berth.observation.internal.kernel.BalancingCounters;
import org.berth.observation.threads.CpuRun;
import org.berth.observation.threads.ThreadTrack;
import org.jspecify.annotations.Nullable;

/**
 * The timeline of the last completed run of each arm, also of those that an interrupted experiment has left.
 *
 * <p><b>Thread safety</b>: none; one thread at a time.
 */
public final class Timelines {
    public static final String FILE = "timelines.jsonl";

    private static final Pattern RUN = Pattern.compile("(\\d+)-(\\d+)@(\\d+)");
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Map<String, RunTimeline> byArm = new LinkedHashMap<>();

    private record TimelineLine(
            String kind,
            @JsonProperty(required = true) String arm,
            int number,
            int round,
            double seconds,
            double resolutionMillis,
            int droppedThreads,
            @JsonProperty(required = true) Map<String, ThreadLine> threads,
            @Nullable List<BalancingLine> balancing) {}

    /** Absent in older files, and where NUMA balancing was not followed. */
    private record BalancingLine(
            double seconds,
            long pteUpdates,
            long hintFaults,
            long hintFaultsLocal,
            long pagesMigrated,
            @Nullable Double remoteShare) {
        static BalancingLine of(BalancingSample sample) {
            BalancingCounters counters = sample.counters();
            return new BalancingLine(
                    sample.seconds(),
                    counters.pteUpdates(),
                    counters.hintFaults(),
                    counters.hintFaultsLocal(),
                    counters.pagesMigrated(),
                    sample.remoteShare().isPresent()
                            ? (Double) sample.remoteShare().getAsDouble()
                            : null);
        }

        BalancingSample sample() {
            return new BalancingSample(
                    seconds,
                    new BalancingCounters(pteUpdates, hintFaults, hintFaultsLocal, pagesMigrated),
                    remoteShare == null ? OptionalDouble.empty() : OptionalDouble.of(remoteShare));
        }
    }

    private record ThreadLine(
            long pid,
            int tid,
            @JsonProperty(required = true) String name,
            double cpuSeconds,
            @JsonProperty(required = true) List<String> runs) {}

    /**
     * Reads what {@link #write} wrote, by a process before this one. A line that cannot be read is left out, as the
     * numbers are in another file.
     *
     * @return one line for each that was left out, with the reason
     */
    public List<String> read(Path file) throws IOException {
        List<String> problems = new ArrayList<>();
        if (!Files.exists(file)) {
            return problems;
        }
        for (String line : Files.readAllLines(file)) {
            try {
                RunTimeline timeline = timeline(JsonLines.read(line, TimelineLine.class));
                byArm.put(timeline.arm(), timeline);
            } catch (IOException | NumberFormatException damaged) {
                String reason =
                        String.valueOf(damaged.getMessage()).lines().findFirst().orElse("");
                problems.add("a timeline in " + file + " is damaged and is left out: " + reason);
            }
        }
        return problems;
    }

    /** Replaces the timeline of an earlier run of the same arm; a run that does not count replaces no other. */
    void put(Trial trial, TimelineRecorder recorder, List<BalancingSample> balancing) {
        RunTimeline timeline = recorder.timeline(trial.arm(), trial.run()).withBalancing(balancing);
        if (trial.counts() && !timeline.threads().isEmpty()) {
            byArm.put(trial.arm(), timeline);
        }
    }

    /** The timelines in the order of the arms, without arms that showed no thread. */
    public List<RunTimeline> ofArms(List<String> arms) {
        return arms.stream().map(byArm::get).filter(Objects::nonNull).toList();
    }

    /**
     * A line an arm; times in milliseconds since the first sample, each run as "from-to@CPU". Replaces an older file,
     * whole.
     */
    public void write(Path file) throws IOException {
        Path whole = file.resolveSibling(file.getFileName() + ".new");
        try (BufferedWriter writer = Files.newBufferedWriter(whole)) {
            for (RunTimeline timeline : byArm.values()) {
                writer.write(JsonLines.write(line(timeline)));
                writer.write('\n');
            }
        }
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static RunTimeline timeline(TimelineLine line) throws IOException {
        List<RunThread> threads = new ArrayList<>();
        for (ThreadLine thread : line.threads().values()) {
            List<CpuRun> runs = new ArrayList<>();
            for (String run : thread.runs()) {
                Matcher numbers = RUN.matcher(run);
                if (!numbers.matches()) {
                    throw new IOException("not a run: " + run);
                }
                long from = Long.parseLong(numbers.group(1)) * NANOS_PER_MILLI;
                long to = Long.parseLong(numbers.group(2)) * NANOS_PER_MILLI;
                runs.add(new CpuRun(from, to, Integer.parseInt(numbers.group(3))));
            }
            ThreadTrack track = new ThreadTrack(thread.tid(), thread.name(), runs);
            threads.add(new RunThread(thread.pid(), track, nanos(thread.cpuSeconds())));
        }
        return new RunTimeline(
                line.arm(),
                line.number(),
                line.round(),
                0,
                nanos(line.seconds()),
                nanos(line.resolutionMillis() / 1000),
                line.droppedThreads(),
                threads,
                line.balancing() == null
                        ? List.of()
                        : line.balancing().stream().map(BalancingLine::sample).toList());
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }

    private static TimelineLine line(RunTimeline timeline) {
        Map<String, ThreadLine> threads = new LinkedHashMap<>();
        for (RunThread thread : timeline.threads()) {
            ThreadTrack track = thread.track();
            // A thread id is unique on the machine, but may come again in a later thread of the same run.
            threads.put(
                    track.tid() + "/" + (track.runs().get(0).fromNanos() - timeline.startNanos()),
                    new ThreadLine(
                            thread.pid(),
                            track.tid(),
                            track.name(),
                            thread.cpuNanos() / 1e9,
                            runs(thread, timeline.startNanos())));
        }
        return new TimelineLine(
                "timeline",
                timeline.arm(),
                timeline.number(),
                timeline.round(),
                timeline.seconds(),
                timeline.resolutionNanos() / 1e6,
                timeline.droppedThreads(),
                threads,
                timeline.balancing().isEmpty()
                        ? null
                        : timeline.balancing().stream().map(BalancingLine::of).toList());
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
