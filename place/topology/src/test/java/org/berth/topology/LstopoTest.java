package org.berth.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.machines.RandomMachine;
import org.berth.machines.RandomSeed;
import org.berth.oracle.HwlocTools;
import org.berth.oracle.Tool;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole tree against lstopo: place, type, logical and OS index, sizes and bus ids of every object. */
class LstopoTest {
    private static final Pattern LINE = Pattern.compile("( *)(.+?)(?: L#(\\d+))?(?: \\((.*)\\))?(?: (\".*\"))?");
    private static final int RANDOM_MACHINES = 60;

    static Stream<String> machines() {
        return Stream.concat(Machines.all().stream(), Machines.servers().stream());
    }

    @ParameterizedTest
    @MethodSource("machines")
    void treeIsThatOfLstopo(String name) {
        assertSameTree(Machines.xml(name), name);
    }

    @Test
    void treesOfRandomMachinesAreThoseOfLstopo() {
        long seed = RandomSeed.next("random machines");
        for (int i = 0; i < RANDOM_MACHINES; i++) {
            assertSameTree(RandomMachine.xml(seed + i), "machine of seed " + (seed + i));
        }
    }

    private static void assertSameTree(String xml, String name) {
        Path lstopo = Tool.require("lstopo-no-graphics");
        String output = HwlocTools.run(
                lstopo,
                xml,
                "-v",
                "--of",
                "console",
                "--whole-io",
                "--disallowed",
                "--filter",
                "all:all",
                "--no-factorize",
                "--no-collapse");
        List<String> theirs = output.lines()
                .dropWhile(line -> !line.startsWith("Machine"))
                .takeWhile(line -> !line.startsWith("depth 0:"))
                .map(LstopoTest::normalised)
                .toList();
        List<String> ours = new ArrayList<>();
        addLines(TopologyXml.parse(xml).root(), 0, ours);
        assertThat(ours).as(name).isEqualTo(theirs);
    }

    /** Keeps of a verbose line what {@link #line} writes. */
    private static String normalised(String line) {
        Matcher matcher = LINE.matcher(line);
        assertThat(matcher.matches()).as(line).isTrue();
        StringBuilder kept = new StringBuilder(matcher.group(1)).append(matcher.group(2));
        kept.append(" L#").append(matcher.group(3) == null ? "0" : matcher.group(3));
        String details = matcher.group(4) == null ? "" : matcher.group(4);
        for (String word : details.split(" ", -1)) {
            if (word.matches("P#\\d+|(local|size|busid|class|buses)=.*")) {
                kept.append(' ').append(word);
            }
        }
        return matcher.group(5) == null
                ? kept.toString()
                : kept.append(' ').append(matcher.group(5)).toString();
    }

    private static void addLines(TopologyObject object, int indent, List<String> lines) {
        lines.add("  ".repeat(indent) + line(object));
        object.memoryChildren().forEach(child -> addLines(child, indent + 1, lines));
        object.children().forEach(child -> addLines(child, indent + 1, lines));
        object.ioChildren().forEach(child -> addLines(child, indent + 1, lines));
        object.miscChildren().forEach(child -> addLines(child, indent + 1, lines));
    }

    private static String line(TopologyObject object) {
        String label = object.toString().replaceFirst(" (L#|\"|\\().*", "").replaceFirst("^PCI .*", "PCI");
        if (object.type().isCache()) {
            label += "Cache";
        }
        if (label.startsWith("Net")) {
            label = label.replaceFirst("Net", "Network");
        }
        if (label.startsWith("Memory(")) {
            // hwloc 2 has no memory devices and takes them for disks.
            label = label.replaceFirst("Memory", "Block");
        }
        if (label.startsWith("CoProc")) {
            label = label.replaceFirst("CoProc", "Co-Processor");
        }
        StringBuilder line = new StringBuilder(label).append(" L#").append(object.logicalIndex());
        if (object.osIndex() >= 0) {
            line.append(" P#").append(object.osIndex());
        }
        line.append(details(object.attributes()));
        return object.name().map(name -> line + " \"" + name + "\"").orElse(line.toString());
    }

    private static String details(ObjectAttributes attributes) {
        if (attributes instanceof ObjectAttributes.Cache cache) {
            return " size=" + cache.sizeBytes() / 1024 + "KB";
        }
        if (attributes instanceof ObjectAttributes.MemoryCache cache) {
            return " size=" + cache.sizeBytes() / 1024 + "KB";
        }
        if (attributes instanceof ObjectAttributes.NumaNode node) {
            return node.localMemoryBytes() == 0 ? "" : " local=" + node.localMemoryBytes() / 1024 + "KB";
        }
        if (attributes instanceof ObjectAttributes.Pci pci) {
            return String.format(Locale.ROOT, " busid=%s class=%04x(%s)", pci.busId(), pci.classId(), pci.className());
        }
        if (attributes instanceof ObjectAttributes.Bridge bridge) {
            String own =
                    bridge.upstream().equals("host") ? "" : " busid=" + bridge.upstream() + " class=0604(PCIBridge)";
            return own + " buses=" + bridge.downstream();
        }
        return "";
    }
}
