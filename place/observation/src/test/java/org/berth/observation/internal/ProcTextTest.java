package org.berth.observation.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.berth.observation.Recording;
import org.junit.jupiter.api.Test;

class ProcTextTest {
    @Test
    void statOfAThreadWhoseNameHoldsSpacesAndParentheses() {
        byte[] text = Recording.linux618("stat");
        assertThat(ProcText.stat(text, text.length)).hasValueSatisfying(stat -> {
            assertThat(stat.name()).isEqualTo("odd (one) ) x");
            assertThat(stat.state()).isEqualTo('S');
            assertThat(stat.cpuTimeNanos()).isEqualTo(910_000_000);
            assertThat(stat.processor()).isZero();
        });
    }

    @Test
    void userAndSystemTimeAreAdded() {
        assertThat(stat("7 (x) R 1 1 1 0 -1 0 0 0 0 0 12 30 0 0 20 0 1 0 5 6 7 8 9 0 0 0 0 0 0 0 0 0 0 0 0 17 63 0 0")
                        .orElseThrow()
                        .cpuTimeNanos())
                .isEqualTo(420_000_000);
    }

    @Test
    void controlCharactersInNamesAreShownAsQuestionMarks() {
        assertThat(
                        stat("7 (a\nb\u001b[1m) R 1 1 1 0 -1 0 0 0 0 0 1 3 0 0 20 0 1 0 5 6 7 8 9 0 0 0 0 0 0 0 0 0 0 0 0 17 63")
                                .orElseThrow()
                                .name())
                .isEqualTo("a?b?[1m");
    }

    @Test
    void statThatIsCutOffAnywhereIsNoThread() {
        byte[] text = Recording.linux618("stat");
        String exitSignal = " -1 "; // the field before the processor; the one at the beginning is the terminal's
        int processor = new String(text, UTF_8).lastIndexOf(exitSignal) + exitSignal.length();
        for (int length = 0; length <= processor; length++) {
            assertThat(ProcText.stat(text, length)).as("%d bytes", length).isEmpty();
        }
    }

    @Test
    void schedstatIsExact() {
        byte[] text = Recording.linux618("schedstat");
        assertThat(ProcText.schedstatNanos(text, text.length)).hasValue(911_431_929);
        assertThat(ProcText.waitedNanos(text, text.length)).isEqualTo(1_244_589_799);
    }

    @Test
    void schedstatOfAKernelThatDoesNotKeepIt() {
        assertThat(ProcText.schedstatNanos("0 0 0\n".getBytes(UTF_8), 6)).isEmpty();
        assertThat(ProcText.schedstatNanos(new byte[0], 0)).isEmpty();
        assertThat(ProcText.waitedNanos(new byte[0], 0)).isZero();
    }

    @Test
    void aGroupIsThrottledInMicrosecondsOrNanoseconds() {
        assertThat(throttled("usage_usec 900\nnr_periods 5\nnr_throttled 3\nthrottled_usec 250\nnr_bursts 0\n"))
                .isEqualTo(250_000);
        assertThat(throttled("nr_periods 5\nnr_throttled 3\nthrottled_time 250\n"))
                .isEqualTo(250);
        assertThat(throttled("usage_usec 900\nuser_usec 800\n"))
                .as("the topmost")
                .isZero();
    }

    private static long throttled(String text) {
        return ProcText.throttledNanos(text.getBytes(UTF_8), text.length());
    }

    @Test
    void migrations() {
        byte[] text = Recording.linux618("sched");
        assertThat(ProcText.migrations(text, text.length)).hasValue(7);
        assertThat(ProcText.migrations(text, 100)).isEmpty();
    }

    @Test
    void allowedList() {
        byte[] text = Recording.linux618("status");
        assertThat(ProcText.allowedList(text, text.length)).hasValue("0-1");
        byte[] large = "Name:\tx\nCpus_allowed_list:\t0-3,64-127\nMems".getBytes(UTF_8);
        assertThat(ProcText.allowedList(large, large.length)).hasValue("0-3,64-127");
        assertThat(ProcText.allowedList(large, 34)).isEmpty();
    }

    private static Optional<ProcText.Stat> stat(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return ProcText.stat(bytes, bytes.length);
    }
}
