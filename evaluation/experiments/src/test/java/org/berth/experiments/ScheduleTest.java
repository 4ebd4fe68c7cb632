package org.berth.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleTest {
    @Test
    void forwardThenBackwardAfterAWarmUp() {
        assertThat(Schedule.interleaved(3, 2, true).runs())
                .containsExactly(
                        new ScheduledRun(1, 0, 0),
                        new ScheduledRun(2, 0, 1),
                        new ScheduledRun(3, 0, 2),
                        new ScheduledRun(4, 1, 0),
                        new ScheduledRun(5, 1, 1),
                        new ScheduledRun(6, 1, 2),
                        new ScheduledRun(7, 2, 2),
                        new ScheduledRun(8, 2, 1),
                        new ScheduledRun(9, 2, 0));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,3", "2,2", "2,3", "3,4", "4,6", "5,7", "7,10"})
    void everyArmRunsOncePerRound(int arms, int rounds) {
        Schedule schedule = Schedule.interleaved(arms, rounds, false);
        for (int round = 1; round <= rounds; round++) {
            int wanted = round;
            assertThat(schedule.runs().stream()
                            .filter(run -> run.round() == wanted)
                            .map(ScheduledRun::arm))
                    .hasSize(arms)
                    .doesNotHaveDuplicates();
        }
        assertThat(schedule.runs()).hasSize(arms * rounds).noneMatch(ScheduledRun::warmUp);
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,3", "2,2", "2,3", "3,4", "4,6", "5,7", "7,10"})
    void balancedMeansEqualMeanPositions(int arms, int rounds) {
        Schedule schedule = Schedule.interleaved(arms, rounds, true);
        List<Integer> sums = IntStream.range(0, arms)
                .mapToObj(arm -> schedule.runs().stream()
                        .filter(run -> run.arm() == arm && !run.warmUp())
                        .mapToInt(ScheduledRun::number)
                        .sum())
                .distinct()
                .toList();
        assertThat(sums.size() == 1).as("sums of positions %s", sums).isEqualTo(schedule.balanced());
    }

    @Test
    void nothingToRun() {
        assertThatThrownBy(() -> Schedule.interleaved(0, 1, true)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Schedule.interleaved(1, 0, true)).isInstanceOf(IllegalArgumentException.class);
    }
}
