package org.berth.drawing.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.berth.machines.Goldens;
import org.berth.machines.MachineNumbers;
import org.berth.machines.Machines;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

class TopologySvgTest {
    static List<String> machines() {
        return Machines.all();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2arm-2c", "2x8x2", "fakeheteromemtiers"})
    void looksAsItDid(String machine) {
        Goldens.check(
                "svg/" + machine + ".svg",
                TopologySvg.render(TopologyXml.parse(Machines.xml(machine)), List.of("A caption.")));
    }

    @ParameterizedTest
    @MethodSource("machines")
    void showsEveryPuOnceInsideThePage(String machine) throws Exception {
        String xml = Machines.xml(machine);
        Document svg = parse(TopologySvg.render(TopologyXml.parse(xml), List.of()));
        assertThat(MachineNumbers.expand(pus(svg, "pu").stream())).isEqualTo(MachineNumbers.pus(xml));

        int width = number(svg.getDocumentElement(), "width");
        int height = number(svg.getDocumentElement(), "height");
        NodeList rectangles = svg.getElementsByTagName("rect");
        int right = 0;
        int bottom = 0;
        for (int i = 1; i < rectangles.getLength(); i++) {
            Element rectangle = (Element) rectangles.item(i);
            right = Math.max(right, number(rectangle, "x") + number(rectangle, "width"));
            bottom = Math.max(bottom, number(rectangle, "y") + number(rectangle, "height"));
        }
        assertThat(right).isBetween(1, width - 1);
        assertThat(bottom).isBetween(1, height - 1);
    }

    /** Its text of 11 px has 9 px or more in a page of 1,100, and everything else is a stretch of the same width. */
    @ParameterizedTest
    @MethodSource("machines")
    void canBeReadOnAScreen(String machine) throws Exception {
        Document svg = parse(TopologySvg.render(TopologyXml.parse(Machines.xml(machine)), List.of()));

        assertThat(number(svg.getDocumentElement(), "width")).isLessThanOrEqualTo(1344 + 16);
    }

    @ParameterizedTest
    @ValueSource(strings = {"256ia64-64n2s2c", "256ppc-8n8s4t"})
    void whatIsAlikeIsDrawnAlike(String machine) throws Exception {
        Document svg = parse(TopologySvg.render(TopologyXml.parse(Machines.xml(machine)), List.of()));

        for (String style : List.of("package", "core", "pu", "memory")) {
            assertThat(sizes(svg, style)).as(style).hasSizeLessThanOrEqualTo(1);
        }
    }

    private static Set<String> sizes(Document svg, String style) {
        Set<String> sizes = new TreeSet<>();
        NodeList groups = svg.getElementsByTagName("g");
        for (int i = 0; i < groups.getLength(); i++) {
            Element group = (Element) groups.item(i);
            if (group.getAttribute("class").equals(style)) {
                Element box = (Element) group.getElementsByTagName("rect").item(0);
                sizes.add(number(box, "width") + " x " + number(box, "height"));
            }
        }
        return sizes;
    }

    @Test
    void belowTheMachineIsWhatAPictureCannotShow() throws Exception {
        Topology whole = TopologyXml.parse(Machines.xml("fakeheteromemtiers"));
        Topology half = whole.withAllowed(everySecond(whole.cpuSet()), whole.nodeSet());
        assertThat(parse(TopologySvg.render(half, List.of("A caption.")))
                        .getDocumentElement()
                        .getTextContent())
                .contains("Memory tiers", "Dashed: not for this process.", "A caption.");
        assertThat(parse(TopologySvg.render(TopologyXml.parse(Machines.xml("256ppc-8n8s4t")), List.of()))
                        .getDocumentElement()
                        .getTextContent())
                .contains("Each core has L3 4 MiB, L2 256 KiB, L1d 32 KiB and L1i 32 KiB of its own.");
    }

    @Test
    void tellsAllowedPusFromForbiddenOnes() throws Exception {
        Topology whole = TopologyXml.parse(Machines.xml("2x8x2"));
        Topology half = whole.withAllowed(everySecond(whole.cpuSet()), whole.nodeSet());
        Document svg = parse(TopologySvg.render(half, List.of()));
        assertThat(MachineNumbers.expand(pus(svg, "pu forbidden").stream()))
                .isEqualTo(IntStream.range(0, 32)
                        .filter(cpu -> cpu % 2 == 1)
                        .boxed()
                        .toList());
    }

    @Test
    void escapesNames() throws Exception {
        String hostile = Machines.xml("32em64t-2n8c+1mic")
                .replace("\"nvme0n1\"", "\"&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#9;\"");
        Document svg = parse(TopologySvg.render(TopologyXml.parse(hostile), List.of("<caption> & \u0001")));
        assertThat(svg.getElementsByTagName("script").getLength()).isZero();
        assertThat(svg.getDocumentElement().getTextContent())
                .contains("<script>alert(1)</script>&\"\uFFFD")
                .contains("<caption> & \uFFFD");
    }

    private static List<String> pus(Document svg, String style) {
        List<String> labels = new ArrayList<>();
        NodeList groups = svg.getElementsByTagName("g");
        for (int i = 0; i < groups.getLength(); i++) {
            Element group = (Element) groups.item(i);
            if ((group.getAttribute("class") + " ").startsWith(style + " ")) {
                labels.add(group.getElementsByTagName("text").item(0).getTextContent());
            }
        }
        return labels;
    }

    private static int number(Element element, String attribute) {
        return Integer.parseInt(element.getAttribute(attribute));
    }

    private static Document parse(String svg) throws ParserConfigurationException, IOException, SAXException {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static CpuSet everySecond(CpuSet cpus) {
        int[] members = cpus.toArray();
        return CpuSet.of(IntStream.range(0, members.length)
                .filter(i -> i % 2 == 0)
                .map(i -> members[i])
                .toArray());
    }
}
