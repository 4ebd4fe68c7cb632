package org.berth.observation.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.observation.threads.SampleFixtures.at;
import static org.berth.observation.threads.SampleFixtures.thread;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ThreadTimelineTest {
    private static final long MILLIS = 1_000_000;

    @Test
    void neighboursOnTheSameCpuAreOneRun() {
        ThreadTimeline timeline = new ThreadTimeline();
        timeline.add(at(10, thread(7, 3, 1)));
        timeline.add(at(20, thread(7, 3, 2)));
        timeline.add(at(30, thread(7, 3, 3)));
        timeline.add(at(40, thread(7, 3, 3))); // asleep
        timeline.add(at(50, thread(7, 3, 4)));
        timeline.add(at(60, thread(7, 5, 5)));
        assertThat(timeline.tracks())
                .containsExactly(new ThreadTrack(
                        7, "t7", List.of(new CpuRun(10, 30, 3), new CpuRun(40, 50, 3), new CpuRun(50, 60, 5))));
        assertThat(timeline.fromNanos()).isEqualTo(10);
        assertThat(timeline.toNanos()).isEqualTo(60);
        assertThat(timeline.resolutionNanos()).isZero();
    }

    @Test
    void lastNameOfAThreadCountsAndIdleThreadsHaveNoTrack() {
        ThreadTimeline timeline = new ThreadTimeline();
        timeline.add(at(1, thread(7, "idle", 0, 1), thread(8, "sleeper", 0, 1)));
        timeline.add(at(2, thread(7, "task", 0, 2), thread(8, "sleeper", 0, 1)));
        timeline.add(at(3, thread(7, "idle again", 0, 2)));
        assertThat(timeline.tracks()).extracting(ThreadTrack::name).containsExactly("idle again");
    }

    @Test
    void newThreadWithTheNumberOfAnEndedOneHasItsOwnTrack() {
        ThreadTimeline timeline = new ThreadTimeline();
        timeline.add(at(1, thread(7, "old", 0, 100)));
        timeline.add(at(2, thread(7, "old", 0, 200)));
        timeline.add(at(3, thread(7, "new", 1, 5)));
        assertThat(timeline.tracks()).extracting(ThreadTrack::name).containsExactly("old", "new");
    }

    @Test
    void randomWalksAreKeptExactlyWhileThereIsRoom() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        ThreadTimeline timeline = new ThreadTimeline();
        List<Integer> cpus = new ArrayList<>(); // CPU of each interval, -1 for asleep
        long used = 1;
        int cpu = 0;
        timeline.add(at(0, thread(7, cpu, used)));
        for (int step = 1; step <= 1000; step++) {
            boolean runs = random.nextInt(4) > 0;
            used += runs ? 1 : 0;
            cpu = runs && random.nextInt(3) == 0 ? random.nextInt(4) : cpu;
            cpus.add(runs ? cpu : -1);
            timeline.add(at(step, thread(7, cpu, used)));
        }
        List<Integer> drawn = new ArrayList<>();
        List<CpuRun> runs = timeline.tracks().get(0).runs();
        for (int step = 1; step <= 1000; step++) {
            int at = step;
            drawn.add(runs.stream()
                    .filter(run -> run.fromNanos() < at && at <= run.toNanos())
                    .map(CpuRun::cpu)
                    .reduce(-1, (none, only) -> only));
        }
        assertThat(drawn).as("seed %d", seed).isEqualTo(cpus);
    }

    @Test
    void memoryIsBoundedAndTheWholeTimeStays() {
        ThreadTimeline timeline = new ThreadTimeline(100);
        for (int step = 0; step <= 10_000; step++) {
            // Three quarters of the time on CPU 1, and a jump every 50 ms.
            timeline.add(at(step * 50L * MILLIS, thread(7, step % 4 == 0 ? 2 : 1, step + 1)));
        }
        List<CpuRun> runs = timeline.tracks().get(0).runs();
        assertThat(runs).hasSizeLessThanOrEqualTo(100);
        assertThat(runs.get(0).fromNanos()).isZero();
        assertThat(runs.get(runs.size() - 1).toNanos()).isEqualTo(10_000L * 50 * MILLIS);
        assertThat(timeline.resolutionNanos()).isGreaterThan(100 * MILLIS);
        long onOne = runs.stream()
                .filter(run -> run.cpu() == 1)
                .mapToLong(CpuRun::lengthNanos)
                .sum();
        assertThat(onOne).isGreaterThan(9_000L * 50 * MILLIS);
        for (int i = 1; i < runs.size(); i++) {
            assertThat(runs.get(i).fromNanos())
                    .isGreaterThanOrEqualTo(runs.get(i - 1).toNanos());
        }
    }

    @Test
    void tooManyThreadsAreDroppedAndCounted() {
        ThreadTimeline timeline = new ThreadTimeline(50);
        timeline.add(at(0));
        for (int tid = 1; tid <= 500; tid++) {
            timeline.add(at(tid * MILLIS, thread(tid, 0, 10)));
        }
        List<ThreadTrack> tracks = timeline.tracks();
        assertThat(tracks).hasSizeLessThanOrEqualTo(50);
        assertThat(tracks.get(tracks.size() - 1).tid()).isEqualTo(500);
        assertThat(timeline.droppedThreads()).isEqualTo(500 - tracks.size());
    }

    @Test
    void aTimelineForOneSampleIsRefused() {
        assertThatThrownBy(() -> new ThreadTimeline(1)).isInstanceOf(IllegalArgumentException.class);
    }
}
