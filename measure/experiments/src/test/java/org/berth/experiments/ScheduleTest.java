package org.berth.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleTest {
    /** Part of the contract of results: who has the seed can say which run was which. */
    @Test
    void aSeedGivesTheSameOrderEverywhere() {
        assertThat(arms(Schedule.drawn(3, 4, 1, 7))).containsExactly(0, 1, 2, 0, 2, 1, 0, 1, 2, 2, 0, 1, 0, 2, 1);
        assertThat(arms(Schedule.drawn(3, 9, 1, 7)).subList(0, 15)).isEqualTo(arms(Schedule.drawn(3, 4, 1, 7)));
        assertThat(arms(Schedule.drawn(3, 20, 1, 8))).isNotEqualTo(arms(Schedule.drawn(3, 20, 1, 7)));
    }

    private static List<Integer> arms(Schedule schedule) {
        return schedule.runs().stream().map(ScheduledRun::arm).toList();
    }

    /** This also holds for seeds that follow each other, such as those of the parts of a study. */
    @Test
    void everyArmIsEquallyOftenInEachPlace() {
        int[][] places = new int[3][3];
        int[] followsItself = new int[2];
        for (int seed = 1; seed <= 2000; seed++) {
            List<Integer> order = arms(Schedule.drawn(3, 2, 0, seed));
            for (int i = 0; i < 3; i++) {
                places[order.get(i)][i]++;
            }
            followsItself[order.get(0).equals(order.get(3)) ? 1 : 0]++;
        }
        double tolerance = 2000 * Simulation.tolerance(1 / 3.0, 2000);
        assertThat(Stream.of(places).flatMapToInt(IntStream::of))
                .allSatisfy(count -> assertThat((double) count).isCloseTo(2000 / 3.0, offset(tolerance)));
        assertThat((double) followsItself[1]).isCloseTo(2000 / 3.0, offset(tolerance));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,3", "2,2", "2,3", "3,4", "4,6", "5,7", "7,10"})
    void everyArmRunsOncePerRound(int arms, int rounds) {
        Schedule schedule = Schedule.drawn(arms, rounds, 0, 1);
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

    @Test
    void eachWarmUpRunsEachArmAndLeavesTheOrderAsItIs() {
        Schedule schedule = Schedule.drawn(3, 4, 2, 7);
        assertThat(arms(schedule).subList(0, 6)).containsExactly(0, 1, 2, 0, 1, 2);
        assertThat(schedule.runs().subList(0, 6)).allMatch(ScheduledRun::warmUp);
        assertThat(arms(schedule).subList(6, 18))
                .isEqualTo(arms(Schedule.drawn(3, 4, 1, 7)).subList(3, 15));
        assertThat(schedule.runs().stream().map(ScheduledRun::number)).doesNotHaveDuplicates();
    }

    @Test
    void nothingToRun() {
        assertThatThrownBy(() -> Schedule.drawn(0, 1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Schedule.drawn(1, 0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
