package org.berth.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.berth.cli.watch.LiveTable.Order;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;

final class LiveTableTest {
    private static final LiveTable.Choice ALL = new LiveTable.Choice(Order.CPU, true);

    private static final List<ThreadTotals.Row> ROWS = List.of(
            new ThreadTotals.Row(
                    4711,
                    "worker-1",
                    'R',
                    17,
                    CpuSet.parseList("0-3,16-19"),
                    0.984,
                    12,
                    3_210_000_000L,
                    new TreeMap<>(Map.of(0, 3_000_000_000L, 1, 1_000_000_000L))),
            new ThreadTotals.Row(4712, "idle", 'S', 3, CpuSet.of(3), 0, 0, 0, new TreeMap<>()));

    @Test
    void aLineIsAThread() {
        assertThat(String.join("\n", LiveTable.render("java (process 4710)", ROWS, ALL, true, 100, 20)))
                .isEqualTo("""
                java (process 4710)
                    TID  S  CPU  ALLOWED        BUSY  MIGR.  CPU TIME  NODES                 THREAD
                   4711  R   17  0-3,16-19      98 %     12    3.21 s  0: 75 %, 1: 25 %      worker-1
                   4712  S    3  3               0 %      0    0.00 s                        idle""");
    }

    @Test
    void oneNodeNeedsNoColumnAndIdleThreadsAreOneLine() {
        assertThat(String.join("\n", LiveTable.render("java", ROWS, LiveTable.Choice.FIRST, false, 100, 20)))
                .isEqualTo("""
                java
                    TID  S  CPU  ALLOWED        BUSY  MIGR.  CPU TIME  THREAD
                   4711  R   17  0-3,16-19      98 %     12    3.21 s  worker-1
                         and 1 idle thread""");
    }

    @Test
    void theUserChoosesTheOrder() {
        assertThat(LiveTable.render("t", ROWS, new LiveTable.Choice(Order.NAME, true), false, 100, 20))
                .satisfies(lines -> assertThat(lines.get(2)).endsWith("  idle"));
        assertThat(LiveTable.render("t", ROWS, new LiveTable.Choice(Order.MIGRATIONS, true), false, 100, 20))
                .satisfies(lines -> assertThat(lines.get(2)).endsWith("  worker-1"));
    }

    @Test
    void keysChangeTheOrderAndEnd() {
        LiveKeys keys = LiveKeys.none();
        "mi?".chars().forEach(key -> keys.press((char) key));
        assertThat(keys.choice()).isEqualTo(new LiveTable.Choice(Order.MIGRATIONS, true));
        "nic".chars().forEach(key -> keys.press((char) key));
        assertThat(keys.choice()).isEqualTo(LiveTable.Choice.FIRST);
        assertThat(keys.ended()).isFalse();
        keys.press('q');
        assertThat(keys.ended()).isTrue();
    }

    @Test
    void noLineIsWiderThanTheTerminalAndNoTableHigher() {
        List<String> lines = LiveTable.render("a title that is longer than forty columns are", ROWS, ALL, true, 40, 4);

        assertThat(lines).allMatch(line -> line.length() <= 40).hasSize(4);
        assertThat(lines).last().asString().contains("and 1 more thread");
    }

    @Test
    void inALogOneLineSaysItAll() {
        assertThat(LiveTable.summary(ROWS))
                .isEqualTo("2 threads, 0.98 CPUs busy, 12 migrations; worker-1 on CPU 17 (98 %)");
    }
}
