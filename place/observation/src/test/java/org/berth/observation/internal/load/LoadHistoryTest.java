package org.berth.observation.internal.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decisions from recorded and written sequences of /proc/stat: no clock takes part. */
class LoadHistoryTest {
    private static final LoadSettings ONE = window(1);

    private static LoadSettings window(int intervals) {
        return new LoadSettings(Duration.ofMillis(100), intervals, 0.2, 0.5);
    }

    /** A busy loop ran on CPU 5 from sample 10 to 25; see the recording's head. */
    @Test
    void aRecordedBusyLoopIsSeenAndForgotten() throws IOException {
        List<LoadSnapshot> seen = snapshots(recorded("busy-loop"), LoadSettings.defaults());
        assertThat(seen.get(0).number()).isZero();
        assertThat(seen.get(0).idle()).as("one sample says nothing").isEqualTo(CpuSet.empty());
        for (int sample = 14; sample <= 25; sample++) {
            assertThat(seen.get(sample).idle().contains(5))
                    .as("CPU 5 idle at sample %d", sample)
                    .isFalse();
            assertThat(seen.get(sample).share(5)).isGreaterThan(0.9);
        }
        for (int sample = 30; sample < seen.size(); sample++) {
            assertThat(seen.get(sample).idle().contains(5))
                    .as("CPU 5 idle at sample %d", sample)
                    .isTrue();
            assertThat(seen.get(sample).number()).isEqualTo(sample);
        }
        assertThat(seen.get(20).idle().size()).as("the others").isGreaterThan(3);
    }

    @Test
    void theSameSequenceGivesTheSameDecisions() throws IOException {
        List<String> once = words(snapshots(recorded("busy-loop"), ONE));
        assertThat(words(snapshots(recorded("busy-loop"), ONE))).isEqualTo(once);
    }

    /** Shares in percent, and whether the CPU counts as idle after each: idle at 20 or less, busy at 50 or more. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            10 30 45 49 50 40 21 20 35 | + + + + - - - + +
            34 36                      | + +
            36 34 20                   | - - +
            100 0 100 0                | - + - +
            """)
    void betweenTheThresholdsACpuStaysWhatItWas(String shares, String expected) {
        assertThat(idle(shares, ONE)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1 | 0 100 0 100 0 | + - + - +
            2 | 0 100 0 100 0 | + - - - -
            3 | 0 0 100 0 0 0 | + + + + + +
            """)
    void aWindowSmoothes(int window, String shares, String expected) {
        assertThat(idle(shares, window(window))).isEqualTo(expected);
    }

    @Test
    void sharesAreThoseOfTheWindow() {
        List<LoadSnapshot> seen = snapshots(sequence("10 20 60 0"), LoadSettings.defaults());
        assertThat(seen.get(1).share(0)).isCloseTo(0.10, within(1e-6));
        assertThat(seen.get(2).share(0)).isCloseTo(0.15, within(1e-6));
        assertThat(seen.get(3).share(0)).isCloseTo(0.30, within(1e-6));
        assertThat(seen.get(4).share(0)).isCloseTo(0.80 / 3, within(1e-6));
        assertThat(seen.get(4).share(1)).isNaN();
    }

    @Test
    void aCpuThatGoesOfflineIsNotIdleAndStartsAnew() {
        List<CpuTimes> samples = List.of(
                times("cpu0 0 0 0 0\ncpu1 0 0 0 0"),
                times("cpu0 0 0 0 10\ncpu1 0 0 0 10"),
                times("cpu0 0 0 0 20"),
                times("cpu0 0 0 0 30\ncpu1 0 0 0 12"),
                times("cpu0 0 0 0 40\ncpu1 3 0 0 19"));
        List<String> idle = snapshots(samples, ONE).stream()
                .map(snapshot -> snapshot.idle() + " of " + snapshot.online())
                .toList();
        assertThat(idle).containsExactly(" of ", "0-1 of 0-1", "0 of 0", "0 of 0-1", "0-1 of 0-1");
    }

    @Test
    void impossibleSettingsAreRefusedInOneLine() {
        assertThatThrownBy(() -> new LoadSettings(Duration.ofMillis(1), 3, 0.2, 0.5))
                .hasMessage("interval 1 ms: choose 10 ms to 1 minute");
        assertThatThrownBy(() -> window(0)).hasMessage("window 0: choose 1 to 1000 intervals");
        assertThatThrownBy(() -> new LoadSettings(Duration.ofMillis(100), 3, 0.5, 0.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("idle at most 0.5 and busy at least 0.5");
        assertThatThrownBy(() -> new LoadSettings(Duration.ofMillis(100), 3, Double.NaN, 0.5))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aLoadThatSomebodyThoughtOf() {
        LoadSnapshot load = LoadSnapshot.of(3, CpuSet.range(0, 3), CpuSet.of(1, 9));
        assertThat(load.idle()).isEqualTo(CpuSet.of(0, 2, 3));
        assertThat(load.share(1)).isEqualTo(1);
        assertThat(load.share(2)).isZero();
        assertThat(load.share(4)).isNaN();
        assertThat(load).hasToString("sample 3: CPUs 0,2-3 idle of 0-3");
    }

    private static String idle(String shares, LoadSettings settings) {
        List<String> signs = snapshots(sequence(shares), settings).stream()
                .skip(1)
                .map(snapshot -> snapshot.idle().contains(0) ? "+" : "-")
                .toList();
        return String.join(" ", signs);
    }

    /** One CPU; a share in percent for each interval of 100 ticks. */
    private static List<CpuTimes> sequence(String shares) {
        List<CpuTimes> samples = new ArrayList<>();
        long busy = 7;
        long idle = 1000;
        samples.add(times("cpu0 " + busy + " 0 0 " + idle));
        for (String share : shares.split(" ", -1)) {
            busy += Long.parseLong(share);
            idle += 100 - Long.parseLong(share);
            samples.add(times("cpu0 " + busy + " 0 0 " + idle));
        }
        return samples;
    }

    private static List<LoadSnapshot> snapshots(List<CpuTimes> samples, LoadSettings settings) {
        List<LoadSnapshot> snapshots = new ArrayList<>();
        LoadHistory history = LoadHistory.empty(settings);
        for (CpuTimes sample : samples) {
            history = history.with(sample);
            snapshots.add(history.snapshot());
        }
        return snapshots;
    }

    private static List<String> words(List<LoadSnapshot> snapshots) {
        return snapshots.stream().map(LoadSnapshot::toString).toList();
    }

    private static List<CpuTimes> recorded(String name) throws IOException {
        try (InputStream in = LoadHistoryTest.class.getResourceAsStream("stat/" + name + ".txt")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
            return Arrays.stream(text.split("(?m)^--- .*\n", -1))
                    .skip(1)
                    .map(LoadHistoryTest::times)
                    .toList();
        }
    }

    private static CpuTimes times(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return CpuTimes.parse(bytes, bytes.length);
    }
}
