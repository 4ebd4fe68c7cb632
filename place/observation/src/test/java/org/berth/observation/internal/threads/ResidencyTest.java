package org.berth.observation.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.observation.threads.SampleFixtures.at;
import static org.berth.observation.threads.SampleFixtures.thread;

import java.util.List;
import java.util.OptionalLong;
import org.berth.observation.ThreadSnapshot;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;

class ResidencyTest {
    @Test
    void onlyThreadsThatRanSinceTheLastSampleCount() {
        Residency residency = new Residency(Expectation.within(CpuSet.of(0)));
        residency.add(at(1, thread(7, 0, 10), thread(8, 1, 10))); // the first sample cannot know who ran
        residency.add(at(2, thread(7, 0, 20), thread(8, 1, 10))); // 8 sleeps, on a CPU where it should not be
        assertThat(residency.share()).isEqualTo(new ResidencyShare(1, 1));
        residency.add(at(3, thread(7, 1, 30), thread(8, 1, 20)));
        assertThat(residency.share()).isEqualTo(new ResidencyShare(1, 3));
        assertThat(residency.share().share()).hasValue(1.0 / 3);
    }

    @Test
    void threadsBornLaterCountAtOnce() {
        Residency residency = new Residency(Expectation.within(CpuSet.of(0)));
        residency.add(at(1));
        residency.add(at(2, thread(7, 0, 10), thread(8, 0, 0)));
        assertThat(residency.share()).isEqualTo(new ResidencyShare(1, 1));
    }

    @Test
    void aThreadBoundToOneSlotAtATimeIsInPlaceWhileItRunsThere() {
        List<CpuSet> slots = List.of(CpuSet.of(0), CpuSet.of(1));
        Residency residency = new Residency(Expectation.bound(thread -> thread.tid() == 7, slots));
        residency.add(at(0));
        residency.add(at(1, bound('R', 0, CpuSet.of(0), 1))); // its first task
        residency.add(at(2, bound('R', 1, CpuSet.of(1), 2))); // the next task has another slot
        assertThat(residency.share()).isEqualTo(new ResidencyShare(2, 2));
        residency.add(at(3, bound('S', 1, CpuSet.of(0, 1), 3))); // between two tasks: does not count
        assertThat(residency.share()).isEqualTo(new ResidencyShare(2, 2));
        residency.add(at(4, bound('R', 1, CpuSet.of(0, 1), 4))); // running, and the binding is lost
        residency.add(at(5, bound('R', 0, CpuSet.of(1), 5))); // just bound elsewhere, not there yet
        assertThat(residency.share()).isEqualTo(new ResidencyShare(2, 4));
    }

    private static ThreadSnapshot bound(char state, int cpu, CpuSet allowed, long cpuTimeNanos) {
        return new ThreadSnapshot(7, "t7", state, cpu, allowed, cpuTimeNanos, OptionalLong.empty());
    }

    @Test
    void endedThreadsKeepTheirShare() {
        Residency residency = new Residency(Expectation.within(CpuSet.of(0)));
        residency.add(at(0));
        residency.add(at(1, thread(7, 0, 1_000)));
        residency.add(at(2));
        residency.add(at(3, thread(7, 1, 1))); // another thread
        assertThat(residency.share()).isEqualTo(new ResidencyShare(1, 2));
    }

    @Test
    void nothingExpectedNothingCounted() {
        Residency residency = new Residency(Expectation.none());
        residency.add(at(0));
        residency.add(at(1, thread(7, 0, 1)));
        assertThat(residency.share().share()).isEmpty();
    }
}
