package org.berth.drawing.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.berth.machines.Goldens;
import org.berth.machines.MachineNumbers;
import org.berth.machines.Machines;
import org.berth.machines.RandomMachine;
import org.berth.machines.RandomSeed;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("one-jdk")
class TopologyPictureTest {
    private static final Pattern MARK = Pattern.compile("<(\\d+)>");
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");
    private static final Pattern ALLOWED = Pattern.compile("\u001b\\[0;1;32m([^\u001b]*)");
    private static final Pattern FORBIDDEN = Pattern.compile("\u001b\\[0;2;31m([^\u001b]*)");

    static List<String> machines() {
        return Machines.all();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2x8x2",
                "2x12x8",
                "2x10x8",
                "4x10x2",
                "2arm-2c",
                "4fake-4gr1nu1pu",
                "16amd64-8n2c-cpusets",
                "20em64t-hybrid-1p6c2t+2ca4co1t",
                "20s390-2g6s4c",
                "32em64t-2n8c+1mic",
                "fakeheteromemtiers",
                "memorysidecaches",
                "nvidiagpunumanodes",
                "256ppc-8n8s4t"
            })
    void looksAsItDid(String machine) {
        Topology topology = TopologyXml.parse(Machines.xml(machine));
        String utf8 = TopologyPicture.render(topology, List.of("A caption."), 80, true, false);
        Goldens.check("topo/" + machine + ".txt", utf8);
    }

    @Test
    void looksAsItDidWithHalfOfThePusForbidden() {
        Topology whole = TopologyXml.parse(Machines.xml("2x8x2"));
        Topology half = whole.withAllowed(everySecond(whole.cpuSet()), whole.nodeSet());
        Goldens.check("topo/2x8x2-half.txt", TopologyPicture.render(half, List.of(), 80, true, false));
        Goldens.check("topo/2x8x2-half-ascii.txt", TopologyPicture.render(half, List.of(), 80, false, false));
    }

    @ParameterizedTest
    @MethodSource("machines")
    void showsEveryPuOnceInsideTheWidth(String machine) {
        String xml = Machines.xml(machine);
        for (int columns : new int[] {60, 80, 120, 200}) {
            requirePicture(TopologyXml.parse(xml), MachineNumbers.pus(xml), columns);
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void tellsAllowedPusFromForbiddenOnes(String machine) {
        Topology whole = TopologyXml.parse(Machines.xml(machine));
        CpuSet half = everySecond(whole.cpuSet());
        String picture = TopologyPicture.render(whole.withAllowed(half, whole.nodeSet()), List.of(), 80, true, true);
        assertThat(spans(ALLOWED, picture)).isEqualTo(half.stream().boxed().toList());
        assertThat(spans(FORBIDDEN, picture))
                .isEqualTo(whole.cpuSet().minus(half).stream().boxed().toList());
        assertThat(ALLOWED.matcher(picture).results().map(match -> match.group(1)))
                .allMatch(span -> span.contains("●"), "is marked without colour too");
    }

    @Test
    void drawsMachinesThatNobodyBuiltYet() {
        long seed = RandomSeed.next("random machines to draw");
        for (int i = 0; i < 60; i++) {
            String xml = RandomMachine.xml(seed + i);
            Topology topology = TopologyXml.parse(xml);
            List<Integer> shown = topology.cpuSet().stream().boxed().toList();
            try {
                requirePicture(topology, shown, 100);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + (seed + i), e);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void hasTheSameShapeInAscii(String machine) {
        Topology topology = TopologyXml.parse(Machines.xml(machine));
        String utf8 = TopologyPicture.render(topology, List.of(), 80, true, false);
        String ascii = TopologyPicture.render(topology, List.of(), 80, false, false);
        assertThat(ascii).matches("[\\x20-\\x7e\\n]*");
        assertThat(ascii.lines().map(String::length))
                .isEqualTo(utf8.lines().map(String::length).toList());
    }

    @ParameterizedTest
    @MethodSource("machines")
    void marksStandForPusInsideTheWidth(String machine) {
        Topology topology = TopologyXml.parse(Machines.xml(machine));
        Map<Integer, PuMark> marks = topology.cpuSet().stream()
                .boxed()
                .collect(Collectors.toMap(cpu -> cpu, cpu -> new PuMark(cpu, "<" + cpu + ">", "")));
        for (int columns : new int[] {60, 80, 120, 200}) {
            String picture = TopologyPicture.render(topology, List.of(), marks, columns, true, false);
            assertThat(picture.lines()).as("%d columns", columns).allMatch(line -> line.length() <= columns);
            assertThat(MARK.matcher(picture).results().map(mark -> Integer.valueOf(mark.group(1))))
                    .as("%d columns", columns)
                    .containsExactlyInAnyOrderElementsOf(marks.keySet());
        }
    }

    @Test
    void aMarkOfAWholeCellIsWrittenOnceAndFillsOnlyItself() {
        Topology topology = TopologyXml.parse(Machines.xml("2x8x2"));
        PuMark mark = new PuMark(0, "7", "");
        Map<Integer, PuMark> marks = Map.of(0, mark, 16, mark, 1, mark);
        String picture = TopologyPicture.render(topology, List.of(), marks, 80, true, true);
        String filled = "\u001b[0;30;48;5;75m7";
        assertThat(picture).contains(filled + "\u001b[0m   \u001b[0;2m│").contains(filled + "\u001b[0;2m \u001b[0m·");
    }

    @Test
    void survivesNamesThatWouldMoveTheCursor() {
        String hostile = Machines.xml("32em64t-2n8c+1mic").replace("\"nvme0n1\"", "\"nv&#9;me\u202e\u0301&lt;&#10;\"");
        String picture = TopologyPicture.render(TopologyXml.parse(hostile), List.of(), 80, true, false);
        assertThat(picture.lines()).anyMatch(line -> line.contains("nv?me??<?"));
        assertThat(picture.lines()).allMatch(line -> line.length() <= 80);
    }

    private static void requirePicture(Topology topology, List<Integer> pus, int columns) {
        String picture = TopologyPicture.render(topology, List.of(), columns, true, true);
        assertThat(COLOUR.matcher(picture).replaceAll("").lines())
                .as("%d columns", columns)
                .allMatch(line -> line.length() <= columns);
        Stream<String> spans = Stream.concat(texts(ALLOWED, picture), texts(FORBIDDEN, picture));
        assertThat(MachineNumbers.expand(spans)).as("%d columns", columns).isEqualTo(pus);
    }

    private static List<Integer> spans(Pattern style, String picture) {
        return MachineNumbers.expand(texts(style, picture));
    }

    private static Stream<String> texts(Pattern style, String picture) {
        return style.matcher(picture).results().map(match -> match.group(1));
    }

    private static CpuSet everySecond(CpuSet cpus) {
        int[] members = cpus.toArray();
        return CpuSet.of(IntStream.range(0, members.length)
                .filter(i -> i % 2 == 0)
                .map(i -> members[i])
                .toArray());
    }
}
