package org.berth.drawing.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.drawing.timeline.WatchPictures.SECOND;
import static org.berth.drawing.timeline.WatchPictures.cpus;
import static org.berth.drawing.timeline.WatchPictures.thread;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TimelineTextTest {
    private static final int COLUMNS = 73;

    @Test
    void aRowIsAThreadAndAColumnAStepOfTime() {
        List<String> lines = TimelineText.render(
                List.of(
                        thread(101, "worker", 0, 0, 1, 1, 0, 0, 0, 0, 0, 0),
                        thread(102, "GC Thread#0", -1, 1, 1, -1, -1, -1, -1, -1, -1, 1)),
                0,
                10 * SECOND,
                cpus(2, 1),
                new TimelineText.Style(COLUMNS, 20, false, true));

        assertThat(String.join("\n", lines)).isEqualTo("""
                THREAD              TID  0 s            5 s              CPU TIME  MIGR.
                worker              101  000000111111000000000000000000   10.00 s      2
                GC Thread#0         102  ···111111··················111    3.00 s      0

                A column is 333 ms; a number is the CPU that the thread ran on longest in
                it, · is no CPU time.""");
    }

    /** Threads of a pool differ at the end of their names. */
    @Test
    void completeNamesGetAThirdOfTheScreen() {
        List<ThreadSummary> threads = List.of(
                thread(1, "data-plane-kafka-request-handler-3", 0, 1),
                thread(2, "data-plane-kafka-request-handler-4", 1, 1));
        for (int columns : new int[] {60, 80, 200}) {
            TimelineText.Style style = new TimelineText.Style(columns, 20, false, true);
            List<String> lines = TimelineText.render(threads, 0, 2 * SECOND, cpus(2, 1), style);

            assertThat(lines).allMatch(line -> line.length() <= columns);
            assertThat(lines.get(1)).containsPattern("^data-pla.*er-3 ");
            assertThat(lines.get(2)).containsPattern("^data-pla.*er-4 ");
        }
        TimelineText.Style wide = new TimelineText.Style(200, 20, false, true);
        assertThat(TimelineText.render(threads, 0, 2 * SECOND, cpus(2, 1), wide).get(1))
                .startsWith("data-plane-kafka-request-handler-3 ");
    }

    @Test
    void numbersOfLargeMachinesKeepTheirColumns() {
        List<String> lines = TimelineText.render(
                List.of(thread(1, "t", 7, 130, -1, -1, 130)),
                0,
                5 * SECOND,
                cpus(256, 4),
                new TimelineText.Style(43 + 40, 20, false, false));

        assertThat(lines.get(1)).contains("    7   7 130 130   .   .   .   . 130 130");
    }

    @Test
    void coloursTellCpusApartAndWidthStaysTheSame() {
        TimelineText.Style style = new TimelineText.Style(COLUMNS, 20, true, true);
        String row = TimelineText.render(List.of(thread(1, "t", 0, 1)), 0, 2 * SECOND, cpus(2, 1), style)
                .get(1);

        assertThat(row).contains("\u001b[30;48;5;75m0\u001b[0m").contains("\u001b[30;48;5;210m1\u001b[0m");
        assertThat(row.replaceAll("\u001b\\[[0-9;]*m", "")).hasSizeLessThanOrEqualTo(COLUMNS);
    }

    @Test
    void threadsThatFindNoRoomAreSummedUp() {
        List<String> lines = TimelineText.render(
                List.of(thread(1, "a", 0, 0), thread(2, "b", 1), thread(3, "c", 1)),
                0,
                2 * SECOND,
                cpus(2, 1),
                new TimelineText.Style(COLUMNS, 1, false, true));

        assertThat(lines).last().isEqualTo("2 more threads used 2.00 s of CPU time together.");
    }
}
