package org.berth.drawing.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.berth.observation.threads.CpuRun;
import org.berth.observation.threads.MigrationCount;
import org.berth.observation.threads.ThreadTrack;
import org.junit.jupiter.api.Test;

final class TimelineGridTest {
    private static ThreadSummary thread(long cpuNanos, CpuRun... runs) {
        return new ThreadSummary(
                new ThreadTrack(1, "t", List.of(runs)),
                cpuNanos,
                new MigrationCount(0, 0, 0, 0, 0, OptionalLong.empty()));
    }

    @Test
    void runsAreCutAtTheEdgesOfSteps() {
        TimelineGrid grid = TimelineGrid.of(
                List.of(thread(100, new CpuRun(1005, 1025, 3), new CpuRun(1025, 1030, 4))), 1000, 1030, 3);

        assertThat(grid.stepNanos()).isEqualTo(10);
        assertThat(grid.threads().get(0).steps())
                .isEqualTo(List.of(Map.of(3, 5L), Map.of(3, 10L), Map.of(3, 5L, 4, 5L)));
        assertThat(grid.threads().get(0).mainCpu(1)).isEqualTo(3);
    }

    @Test
    void cpuTimeIsSpreadOverTheRuns() {
        TimelineGrid grid = TimelineGrid.of(List.of(thread(10, new CpuRun(0, 100, 0))), 0, 100, 1);

        assertThat(grid.threads().get(0).steps()).isEqualTo(List.of(Map.of(0, 10L)));
    }

    @Test
    void aStepWithoutRunsHasNoCpu() {
        TimelineGrid grid = TimelineGrid.of(List.of(thread(10, new CpuRun(0, 50, 0))), 0, 100, 2);

        assertThat(grid.threads().get(0).mainCpu(1)).isEqualTo(-1);
    }
}
