package org.berth.experiments.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.berth.experiments.ResourceUsage;
import org.berth.experiments.SamplingSummary;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.Trial.Outcome;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.berth.observation.internal.kernel.BalancingCounters;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.threads.CpuRun;
import org.berth.observation.threads.MigrationCount;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimelinesTest {
    private static final long MILLISECOND = 1_000_000;
    private static final String NAME = "a \"name\"\\\u0001<b>";

    @TempDir
    private Path folder;

    /** Thread i uses i milliseconds in each of the steps, on a CPU that changes every step. */
    private static TimelineRecorder recorder(int threads, int steps) {
        TimelineRecorder recorder = new TimelineRecorder();
        for (int step = 0; step <= steps; step++) {
            List<ThreadSnapshot> snapshots = new ArrayList<>();
            for (int i = 1; i <= threads; i++) {
                snapshots.add(new ThreadSnapshot(
                        i,
                        NAME,
                        'R',
                        step % 4,
                        CpuSet.range(0, 3),
                        (long) i * step * MILLISECOND,
                        OptionalLong.empty()));
            }
            recorder.add(77, new ProcessSample(1000 + 100L * step * MILLISECOND, snapshots));
        }
        return recorder;
    }

    private static Trial trial(String arm, int round, Outcome outcome) {
        return new Trial(
                new ScheduledRun(round + 1, round, 0),
                arm,
                outcome,
                OptionalInt.of(0),
                Duration.ofSeconds(1),
                Map.of(),
                new SamplingSummary(
                        1, 1, 1, MigrationCount.ZERO, MigrationCount.ZERO, new ResidencyShare(0, 0), Duration.ZERO),
                ResourceUsage.NOTHING,
                0,
                Path.of("log"),
                List.of());
    }

    @Test
    void aRunByHand() {
        RunTimeline timeline = recorder(2, 3).timeline("core", new ScheduledRun(5, 2, 1));

        assertThat(timeline.seconds()).isEqualTo(0.3);
        assertThat(timeline.threads()).hasSize(2);
        assertThat(timeline.threads().get(0).track().tid())
                .as("the busiest first")
                .isEqualTo(2);
        assertThat(timeline.threads().get(0).cpuNanos()).isEqualTo(6 * MILLISECOND);
        assertThat(timeline.threads().get(0).track().runs())
                .containsExactly(
                        new CpuRun(1000, 1000 + 100 * MILLISECOND, 1),
                        new CpuRun(1000 + 100 * MILLISECOND, 1000 + 200 * MILLISECOND, 2),
                        new CpuRun(1000 + 200 * MILLISECOND, 1000 + 300 * MILLISECOND, 3));
    }

    @Test
    void theLimitHoldsAndTheBusiestThreadsStay() {
        RunTimeline timeline = recorder(100, 300).timeline("core", new ScheduledRun(1, 1, 0));

        assertThat(timeline.threads()).hasSizeBetween(1, RunTimeline.MAX_THREADS);
        assertThat(timeline.threads().stream()
                        .mapToInt(thread -> thread.track().runs().size())
                        .sum())
                .isLessThanOrEqualTo(RunTimeline.MAX_RUNS);
        assertThat(timeline.threads().get(0).track().tid()).isEqualTo(100);
        assertThat(timeline.threads().size() + timeline.droppedThreads()).isEqualTo(100);
    }

    @Test
    void theLastCompletedRunOfEachArmIsKept() {
        Timelines timelines = new Timelines();
        timelines.put(trial("none", 0, Outcome.COMPLETED), recorder(1, 1), List.of()); // warm-up: does not count
        assertThat(timelines.ofArms(List.of("none", "core"))).isEmpty();
        timelines.put(trial("none", 1, Outcome.COMPLETED), recorder(1, 1), List.of());
        timelines.put(trial("none", 2, Outcome.COMPLETED), recorder(1, 1), List.of());
        timelines.put(trial("none", 3, Outcome.FAILED), recorder(1, 1), List.of());
        timelines.put(
                trial("core", 1, Outcome.COMPLETED), recorder(1, 0), List.of()); // nothing ran between two samples

        assertThat(timelines.ofArms(List.of("none", "core")))
                .singleElement()
                .satisfies(one -> assertThat(one.round()).isEqualTo(2));
    }

    /** What a resumed experiment finds; times are whole milliseconds, so that writing it again changes nothing. */
    @Test
    void aLaterProcessGoesOnWithTheFile() throws Exception {
        Timelines timelines = new Timelines();
        timelines.put(trial("core", 1, Outcome.COMPLETED), recorder(3, 5), List.of());
        timelines.put(trial("none", 1, Outcome.COMPLETED), recorder(2, 4), List.of());
        Path file = folder.resolve("timelines.jsonl");
        timelines.write(file);
        List<String> lines = Files.readAllLines(file);
        Files.writeString(file, lines.get(0).substring(0, 99) + "\n" + lines.get(1) + "\n" + lines.get(0) + "\n");

        Timelines later = new Timelines();
        assertThat(later.read(folder.resolve("absent"))).isEmpty();
        assertThat(later.read(file))
                .singleElement()
                .asString()
                .startsWith("a timeline in " + file + " is damaged and is left out: ");

        RunTimeline before = timelines.ofArms(List.of("core")).get(0);
        RunTimeline after = later.ofArms(List.of("none", "core", "pu")).get(1);
        assertThat(after.threads()).hasSize(3);
        assertThat(after.seconds()).isEqualTo(before.seconds());
        for (int i = 0; i < 3; i++) {
            assertThat(after.threads().get(i).cpuNanos())
                    .isEqualTo(before.threads().get(i).cpuNanos());
            assertThat(after.threads().get(i).track().runs())
                    .isEqualTo(before.threads().get(i).track().runs().stream()
                            .map(run -> new CpuRun(run.fromNanos() - 1000, run.toNanos() - 1000, run.cpu()))
                            .toList());
        }
        later.put(trial("core", 2, Outcome.COMPLETED), recorder(1, 3), List.of());
        later.write(file);
        assertThat(Files.readAllLines(file)).hasSize(2).contains(lines.get(1)).doesNotContain(lines.get(0));
        assertThat(folder.resolve("timelines.jsonl.new")).doesNotExist();
    }

    @Test
    void whatBalancingDidIsReadBack() throws Exception {
        List<BalancingSample> samples = List.of(
                new BalancingSample(0.1, BalancingCounters.ZERO, OptionalDouble.empty()),
                new BalancingSample(0.4, new BalancingCounters(9, 7, 5, 3), OptionalDouble.of(0.25)));
        Timelines timelines = new Timelines();
        timelines.put(trial("balance", 1, Outcome.COMPLETED), recorder(1, 1), samples);
        timelines.put(trial("none", 1, Outcome.COMPLETED), recorder(1, 1), List.of());
        Path file = folder.resolve("timelines.jsonl");
        timelines.write(file);
        assertThat(Files.readAllLines(file).get(0)).contains("\"hintFaultsLocal\":5");

        Timelines later = new Timelines();
        later.read(file);
        assertThat(later.ofArms(List.of("balance", "none")))
                .extracting(RunTimeline::balancing)
                .containsExactly(samples, List.of());
    }

    @Test
    void theFileIsReadBack() throws Exception {
        Timelines timelines = new Timelines();
        timelines.put(trial("core", 1, Outcome.COMPLETED), recorder(100, 300), List.of());
        Path file = folder.resolve("timelines.jsonl");
        timelines.write(file);

        assertThat(Files.size(file)).isLessThan(400_000);
        List<String> names = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(Files.readString(file))) {
            while (json.nextToken() != null) {
                if ("name".equals(json.currentName()) && json.currentToken().isScalarValue()) {
                    names.add(json.getText());
                }
            }
        }
        assertThat(names).hasSizeGreaterThan(1).containsOnly(NAME);
    }
}
