package org.berth.placement.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.berth.observation.internal.load.Waits;
import org.junit.jupiter.api.Test;

/** Seconds of an executor with two CPUs. */
class SlotGuardTest {
    private static final long MILLI = 1_000_000;

    private static final Waits CALM = second(1900, 300, 60, 0, 200);
    private static final Waits COMPILING = second(1700, 300, 20, 0, 700);
    private static final Waits LOSING = second(1200, 500, 400, 0, 0);

    private static Waits second(long ran, long waited, long idle, long throttled, long compilers) {
        return new Waits(1000 * MILLI, ran * MILLI, waited * MILLI, idle * MILLI, throttled * MILLI, compilers * MILLI);
    }

    @Test
    void aThreadLosesWhatItWaitsWhileACpuIsIdle() {
        assertThat(SlotGuard.loss(second(1000, 200, 400, 0, 0))).isEqualTo(0.2);
        assertThat(SlotGuard.loss(second(1000, 400, 200, 0, 0)))
                .as("without an idle CPU it would wait elsewhere, too")
                .isEqualTo(0.2);
        assertThat(SlotGuard.loss(second(1000, 400, 1000, 350, 0)))
                .as("a quota stops threads, and their CPUs are idle")
                .isEqualTo(0.05);
        assertThat(SlotGuard.loss(second(1000, 0, 0, 0, 600))).isEqualTo(0.3);
        assertThat(SlotGuard.loss(second(10, 900, 1900, 0, 600)))
                .as("threads that hardly run")
                .isZero();
        assertThat(SlotGuard.loss(new Waits(0, 0, 0, 0, 0, 0)))
                .as("the first look")
                .isZero();
    }

    @Test
    void theNumbersOfTheRecordingsAreOnTheRightSide() {
        // In the first seconds of a job compilers waited for 0.4 to 1.3 of two CPUs, later for 0.1 to 0.3.
        assertThat(SlotGuard.loss(second(1600, 400, 40, 0, 400))).isGreaterThan(0.1);
        assertThat(SlotGuard.loss(second(1900, 400, 70, 0, 200))).isLessThan(0.1);
    }

    @Test
    void slotsAreWideWhileTheCompilersWorkAtTheStart() {
        SlotGuard guard = new SlotGuard(1, true);
        assertThat(guard.width()).isEqualTo(1);
        for (int second = 0; second < 30; second++) {
            assertThat(guard.next(COMPILING)).isFalse();
        }
        assertThat(secondsUntilNarrow(guard)).isEqualTo(10);
        assertThat(guard.isTrial()).as("the next look is due soon").isTrue();
        guard.next(CALM);
        assertThat(guard.isTrial()).isFalse();
    }

    @Test
    void theyGrowStepByStepAndBecomeNarrowAtOnce() {
        SlotGuard guard = narrow(3);
        for (int width = 1; width <= 3; width++) {
            assertThat(guard.next(LOSING)).isTrue();
            assertThat(guard.width()).isEqualTo(width);
        }
        assertThat(guard.next(LOSING)).isFalse();
        assertThat(secondsUntilNarrow(guard)).isEqualTo(20);
    }

    @Test
    void eachFailureDoublesTheTimeUntilTheNextTry() {
        SlotGuard guard = narrow(1);
        guard.next(LOSING);
        int expected = 20;
        for (int round = 0; round < 8; round++) {
            assertThat(secondsUntilNarrow(guard)).isEqualTo(expected);
            assertThat(guard.next(LOSING)).isTrue();
            expected = Math.min(64, 2 * expected);
        }
        secondsUntilNarrow(guard);
        for (int second = 0; second < 64; second++) {
            guard.next(CALM);
        }
        guard.next(LOSING);
        assertThat(secondsUntilNarrow(guard)).as("after a good while").isEqualTo(2);
    }

    @Test
    void slotsThatBeginNarrowAreOnTrial() {
        SlotGuard guard = new SlotGuard(1, false);
        assertThat(guard.width()).isZero();
        assertThat(guard.isTrial()).isTrue();
        assertThat(guard.next(LOSING)).isTrue();
        assertThat(guard.width()).isEqualTo(1);
        assertThat(secondsUntilNarrow(guard)).isEqualTo(20);
    }

    @Test
    void slotsThatAreTheDomainNeverChange() {
        SlotGuard guard = new SlotGuard(0, true);
        assertThat(guard.next(LOSING)).isFalse();
        assertThat(guard.next(COMPILING)).isFalse();
        assertThat(guard.width()).isZero();
        assertThat(guard.isTrial()).isFalse();
    }

    private static SlotGuard narrow(int widest) {
        SlotGuard guard = new SlotGuard(widest, true);
        secondsUntilNarrow(guard);
        return guard;
    }

    private static int secondsUntilNarrow(SlotGuard guard) {
        for (int seconds = 1; seconds <= 100; seconds++) {
            guard.next(CALM);
            if (guard.width() == 0) {
                return seconds;
            }
        }
        throw new AssertionError("still wide");
    }
}
