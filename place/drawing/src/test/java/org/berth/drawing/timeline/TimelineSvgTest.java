package org.berth.drawing.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.berth.drawing.timeline.WatchPictures.SECOND;
import static org.berth.drawing.timeline.WatchPictures.cpus;
import static org.berth.drawing.timeline.WatchPictures.thread;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

final class TimelineSvgTest {
    private static String render(List<ThreadSummary> threads, CpuRows cpus, CpuSet allowed) {
        return TimelineSvg.render("title", "subtitle", threads, 0, 4 * SECOND, SECOND, cpus, allowed);
    }

    @Test
    void aThreadThatStaysIsOneBarInItsRow() {
        String svg = render(List.of(thread(1, "stays", 1, 1, 1, 1)), cpus(2, 1), CpuSet.range(0, 1));

        // From the left edge to the right edge, one row of 110 below the first, a pixel of air above and below.
        assertThat(svg).contains("<path fill=\"#3d75b5\" d=\"M118 283.0H1118V175.0H118z\"/>");
        assertThat(svg).doesNotContain("stroke-width=\"1.2\"");
    }

    @Test
    void aMoveJoinsTheTwoRows() {
        String svg = render(List.of(thread(1, "moves", 0, 0, 1, 1)), cpus(2, 1), CpuSet.range(0, 1));

        assertThat(svg).contains("d=\"M618.0 119.0V229.0\"");
    }

    @Test
    void threadsOnOneCpuShareItsRow() {
        String svg = render(List.of(thread(1, "a", 0), thread(2, "b", 0)), cpus(1, 1), CpuSet.of(0));

        assertThat(svg).contains("<path fill=\"#3d75b5\" d=\"M118 173.0H368V119.0H118z\"/>");
        assertThat(svg).contains("<path fill=\"#d9575f\" d=\"M118 119.0H368V65.0H118z\"/>");
    }

    @Test
    void nodesAreNamedAndForbiddenCpusAreDarker() {
        String svg = render(List.of(thread(1, "t", 0)), cpus(4, 2), CpuSet.range(0, 1));

        assertThat(svg).contains("font-weight=\"bold\">0</text>").contains("font-weight=\"bold\">1</text>");
        assertThat(svg.split("#e4e4e4", -1)).hasSize(3);
    }

    @Test
    void anyNameOfAThreadGivesReadableXml() {
        String svg = render(List.of(thread(1, "a<b>&\"\u0001\uD800", 0)), cpus(2, 1), CpuSet.of(0));

        assertThatCode(() -> DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(svg))))
                .doesNotThrowAnyException();
    }

    /** Next to a name are the TID and the CPU time; the whole name is the tooltip. */
    @Test
    void aLongNameLeavesRoomForTheNumbers() {
        String name = "data-plane-kafka-network-thread-1-ListenerName(PLAINTEXT)-PLAINTEXT-2";
        String svg = render(List.of(thread(1234567, name, 0)), cpus(2, 1), CpuSet.of(0));

        assertThat(svg).contains(">data-plane-ka…-PLAINTEXT-2 <tspan fill=\"#999\">1234567</tspan>");
        assertThat(svg).contains("<title>" + name + "</title>");
    }

    @Test
    void aLargeMachineFitsAPageAndManyThreadsShareTheLastColour() {
        List<ThreadSummary> threads = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            threads.add(thread(i, "thread " + i, i % 256, (i + 1) % 256));
        }
        String svg = render(threads, cpus(256, 8), CpuSet.range(0, 255));

        assertThat(svg).contains(">276 others<").contains("height=\"892\"");
    }
}
