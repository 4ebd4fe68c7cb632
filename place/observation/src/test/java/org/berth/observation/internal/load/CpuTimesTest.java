package org.berth.observation.internal.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;

class CpuTimesTest {
    private static final String BEFORE = """
            cpu  300 3 30 3000 13 0 7 2 1 0
            cpu0 100 1 10 1000 5 0 3 1 1 0
            cpu2 200 2 20 2000 8 0 4 1 0 0
            intr 8 0 1
            """;

    @Test
    void everythingButIdleAndIowaitIsBusy() {
        CpuTimes before = parse(BEFORE);
        assertThat(before.cpus()).isEqualTo(CpuSet.of(0, 2));
        // Ten ticks each: of CPU 0 three for soft and two for hard interrupts, of CPU 2 nothing but waiting for a disk.
        CpuTimes after = parse(BEFORE.replace("1000 5 0 3 1", "1005 5 2 6 1").replace("2000 8", "2004 14"));
        assertThat(after.busyShareSince(before, 0)).isEqualTo(0.5);
        assertThat(after.busyShareSince(before, 2)).isZero();
        assertThat(after.busyShareSince(before, 1)).isNaN();
        CpuTimes guest = parse(BEFORE.replace("cpu0 100 1 10 1000 5 0 3 1 1 0", "cpu0 110 1 10 1010 5 0 3 1 11 0"));
        assertThat(guest.busyShareSince(before, 0))
                .as("guest is in user already")
                .isEqualTo(0.5);
    }

    @Test
    void theWorkOfALowPriorityCountsAsIdleWhereAsked() {
        CpuTimes before = parse(BEFORE);
        CpuTimes after =
                parse(BEFORE.replace("cpu0 100 1 10 1000", "cpu0 104 8 10 1002").replace("2000 8", "2004 14"));
        assertThat(after.freeTicksSince(before, CpuSet.of(0, 2), false)).isEqualTo(2 + 4 + 6);
        assertThat(after.freeTicksSince(before, CpuSet.of(0, 2), true)).isEqualTo(2 + 7 + 4 + 6);
        assertThat(after.freeTicksSince(before, CpuSet.of(0), true)).isEqualTo(2 + 7);
        assertThat(after.freeTicksSince(before, CpuSet.of(1), true)).isZero();
        assertThat(before.freeTicksSince(after, CpuSet.of(2), true))
                .as("iowait ran backwards")
                .isZero();
    }

    @Test
    void aCpuThatComesOrGoesOrCountsBackwardsIsNotMisread() {
        CpuTimes both = parse(BEFORE);
        CpuTimes one = parse("cpu 1 2 3 4\ncpu2 210 2 20 2000 3 0 4 1 0 0\n");
        assertThat(one.cpus()).isEqualTo(CpuSet.of(2));
        assertThat(one.busyShareSince(both, 0)).isNaN();
        assertThat(both.busyShareSince(one, 0)).isNaN();
        assertThat(both.busyShareSince(both, 0)).as("no time between").isNaN();
        assertThat(one.busyShareSince(both, 2)).as("iowait ran backwards").isEqualTo(1);
        assertThat(parse("").cpus()).isEqualTo(CpuSet.empty());
        assertThat(parse("cpu0 2").busyShareSince(parse("cpu0 1"), 0)).isEqualTo(1);
    }

    /** Linux 2.6.0 to 2.6.10 had seven fields, and there may be more one day. */
    @Test
    void fewerOrMoreFieldsThanToday() {
        CpuTimes boot = parse("cpu0 0 0 0 0\n");
        assertThat(parse("cpu0 1 2 3 4 5 6 7\n").busyShareSince(boot, 0)).isEqualTo((1 + 2 + 3 + 6 + 7) / 28.0);
        assertThat(parse("cpu0 1 2 3 4 5 6 7 8 9 10 11 12\n").busyShareSince(boot, 0))
                .isEqualTo((36 - 4 - 5) / 36.0);
    }

    @Test
    void readsThisMachine() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/stat"));
        byte[] text = Files.readAllBytes(Path.of("/proc/stat"));
        CpuTimes times = CpuTimes.parse(text, text.length);
        long cpus = lines.stream().filter(line -> line.matches("cpu\\d+ .*")).count();
        assertThat(times.cpus().size()).isEqualTo((int) cpus);
        int first = times.cpus().first();
        assertThat(times.busyShareSince(parse("cpu" + first + " 0 0 0 0\n"), first))
                .isBetween(0.0, 1.0);
    }

    private static CpuTimes parse(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return CpuTimes.parse(bytes, bytes.length);
    }
}
