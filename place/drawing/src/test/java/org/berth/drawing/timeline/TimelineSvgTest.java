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
import org.berth.drawing.internal.text.Palette;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

final class TimelineSvgTest {
    private static String render(List<ThreadSummary> threads, CpuRows cpus, CpuSet allowed) {
        return TimelineSvg.render(new Timeline("title", "subtitle", threads, 0, 4 * SECOND, SECOND, cpus, allowed));
    }

    private static String fill(String name) {
        return "class=\"t" + Palette.byName(List.of(name))[0] + "\"";
    }

    @Test
    void aThreadThatStaysIsOneBarInItsRow() {
        String svg = render(List.of(thread(1, "stays", 1, 1, 1, 1)), cpus(2, 1), CpuSet.range(0, 1));

        // From the left edge to the right edge, one row of 110 below the first, a pixel of air above and below.
        assertThat(svg).contains("<path " + fill("stays") + " d=\"M92 279.0H852V171.0H92z\"/>");
        assertThat(svg).doesNotContain("class=\"move");
    }

    @Test
    void aMoveJoinsTheTwoRows() {
        String svg = render(List.of(thread(1, "moves", 0, 0, 1, 1)), cpus(2, 1), CpuSet.range(0, 1));

        assertThat(svg).contains("d=\"M472.0 115.0V225.0\"").doesNotContain("left out");
    }

    @Test
    void threadsOnOneCpuShareItsRow() {
        String svg = render(List.of(thread(1, "a", 0), thread(2, "b", 0)), cpus(1, 1), CpuSet.of(0));

        assertThat(svg).contains("H282V115.0H92z").contains("H282V61.0H92z");
        assertThat(svg).contains(">100 %</text>").contains(">0</text>");
    }

    @Test
    void theColourFollowsTheNameAndNotTheRank() {
        ThreadSummary one = thread(1, "worker-1", 0, 0, 0, 0);
        ThreadSummary other = thread(3, "worker-3", 1, 1);
        String before = render(List.of(one, other), cpus(2, 1), CpuSet.range(0, 1));
        String after = render(List.of(other, one), cpus(2, 1), CpuSet.range(0, 1));

        assertThat(bars(before)).hasSize(2).containsExactlyInAnyOrderElementsOf(bars(after));
    }

    private static List<String> bars(String svg) {
        return svg.lines().filter(line -> line.startsWith("<path class=\"t")).toList();
    }

    @Test
    void linesThatAreLeftOutAreCounted() {
        List<ThreadSummary> threads = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            threads.add(thread(i, "thread " + i, 0, 1, 0, 1));
        }
        String svg = render(threads, cpus(2, 1), CpuSet.range(0, 1));

        assertThat(svg.replaceAll("</text>\\s*<text[^>]*>", " "))
                .contains("; 6 lines of threads that hardly run or often migrate are left out.");
    }

    @Test
    void nodesAreNamedAndForbiddenCpusAreDarker() {
        String svg = render(List.of(thread(1, "t", 0)), cpus(4, 2), CpuSet.range(0, 1));

        assertThat(svg)
                .contains("class=\"strong\" x=\"4.0\"")
                .contains(">0</text>")
                .contains(">1</text>");
        assertThat(svg.split("band forbidden", -1)).hasSize(3);
        assertThat(svg).contains("The process may not use CPUs on grey.");
    }

    @Test
    void aReaderMayHaveADarkPageOrListen() {
        String svg = render(List.of(thread(1, "t", 0)), cpus(2, 1), CpuSet.range(0, 1));

        assertThat(svg)
                .contains("prefers-color-scheme: dark")
                .contains("role=\"img\" aria-label=\"title\"")
                .contains("<title>title</title>")
                .contains("<desc>subtitle</desc>");
    }

    @Test
    void longLinesAreWrapped() {
        String words = "word ".repeat(60).strip();
        String svg = TimelineSvg.render(
                new Timeline(words, words, List.of(thread(1, "t", 0)), 0, SECOND, SECOND, cpus(1, 1), CpuSet.of(0)));

        assertThat(svg.lines().filter(line -> line.contains("<text class=\"title\"")))
                .hasSize(4);
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

        assertThat(svg).contains(" <tspan class=\"quiet\">1234567</tspan>").doesNotContain(">" + name + " ");
        assertThat(svg).contains("<title>" + name + "</title>");
    }

    @Test
    void aLargeMachineFitsAPageAndManyThreadsShareTheLastColour() {
        List<ThreadSummary> threads = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            threads.add(thread(i, "thread " + i, i % 256, (i + 1) % 256));
        }
        String svg = render(threads, cpus(256, 8), CpuSet.range(0, 255));

        assertThat(svg).contains(">292 other threads<").contains(">node 7<").contains("A row is the CPUs of a node");
        assertThat(svg).containsPattern("width=\"900\" height=\"9\\d\\d\"");
    }
}
