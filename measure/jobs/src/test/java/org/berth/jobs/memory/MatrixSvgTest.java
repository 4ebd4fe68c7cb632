package org.berth.jobs.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Pictures compared with files that a person has checked; {@code -Dberth.goldens=refresh} writes them anew. */
class MatrixSvgTest {
    private static final Path FOLDER =
            Path.of(System.getProperty("basedir", "."), "src", "test", "resources", "org", "berth", "jobs");

    private static MemoryPlaces.Place place(int from, int to) {
        return new MemoryPlaces.Place(
                Optional.of(from), Optional.of(to), Optional.of(CpuSet.range(8 * from, 8 * from + 7)));
    }

    private static void check(String name, String svg) throws Exception {
        Path file = FOLDER.resolve(name);
        if ("refresh".equals(System.getProperty("berth.goldens"))) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, svg);
        }
        assertThat(svg).isEqualTo(Files.readString(file));
    }

    /** The matrix is that of a machine with two packages and memory without CPUs on node 2. */
    @Test
    void drawsLatenciesAsTheyWereLookedAt() throws Exception {
        MatrixReport report = new MatrixReport("latency", "ns", true, List.of("load"));
        double[][] nanos = {{83.1, 139.4, 251.0}, {140.2, 82.7, 330.9}};
        for (int from = 0; from < 2; from++) {
            for (int to = 0; to < 3; to++) {
                report.add(place(from, to), 1, List.of(nanos[from][to]), "1", 1);
            }
        }
        check("latency.svg", report.svg());
    }

    @Test
    void drawsAPanelForEachLoopOfTheBandwidth() throws Exception {
        MatrixReport report = new MatrixReport("bandwidth", "GB/s", false, Bandwidth.MEASURES);
        for (int from = 0; from < 4; from++) {
            for (int to = 0; to < 4; to++) {
                double rate = from == to ? 98.5 : (from ^ to) == 1 ? 61.2 + from : 34.9 + to;
                report.add(place(from, to), 8, List.of(rate, rate * 0.97, rate * 1.08, rate * 1.1), "1", 1);
            }
        }
        check("bandwidth.svg", report.svg());
    }

    /** 4 % between two nodes is noise as far as anybody knows. */
    @Test
    void doesNotPaintNoiseDark() throws Exception {
        List<String> fills = new ArrayList<>();
        String svg = new MatrixSvg(
                        "a<b",
                        "ns",
                        List.of(new MatrixSvg.Panel(
                                "load",
                                true,
                                List.of("x", "y"),
                                List.of("p", "q"),
                                List.of(List.of(100.0, 104.0), List.of(103.0, 101.0)))))
                .render();
        NodeList rectangles = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)))
                .getElementsByTagName("rect");
        IntStream.range(1, 5)
                .forEach(i -> fills.add(
                        rectangles.item(i).getAttributes().getNamedItem("fill").getNodeValue()));
        assertThat(fills).containsExactly("#ffffe5", "#fee391", "#fff7bc", "#ffffe5");
    }
}
