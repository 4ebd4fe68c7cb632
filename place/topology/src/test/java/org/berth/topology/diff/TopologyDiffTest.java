package org.berth.topology.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.machines.RandomSeed;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyException;
import org.berth.topology.diff.TopologyDiff.Kind;
import org.berth.topology.edit.TopologyEditor;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Differences are those of hwloc-diff, and hwloc-patch makes the same machine of them as we do. */
class TopologyDiffTest {
    @TempDir
    private Path folder;

    static Stream<String> machines() {
        return Machines.names().stream();
    }

    /** Other names, memory sizes and infos, as between the nodes of a cluster. */
    private static Topology drifted(Topology machine, Random random) {
        StringBuilder xml = new StringBuilder();
        boolean[] kinds = {false};
        TopologyXml.write(machine).lines().forEach(line -> {
            String changed = line;
            // Other kinds of CPUs are too complex for hwloc, and a name such as dax0 says what a device is.
            kinds[0] |= line.contains("<cpukind");
            if (kinds[0] || line.contains(" name=\"dax")) {
                xml.append(line).append('\n');
                return;
            }
            if (random.nextInt(3) == 0) {
                changed = changed.replaceFirst(
                        "local_memory=\"(\\d+)\"", "local_memory=\"" + random.nextInt(1 << 30) + "\"");
            }
            if (random.nextInt(4) == 0) {
                changed = changed.replaceFirst(
                        "<info name=\"(\\w+)\" value=\".*\"",
                        "<info name=\"$1\" value=\"new " + random.nextInt(99) + "\"");
            }
            if (random.nextInt(4) == 0 && line.contains("type=\"OSDev\"")) {
                changed = changed.replaceFirst(" name=\"\\w+", " name=\"new" + random.nextInt(99));
            }
            xml.append(changed).append('\n');
        });
        return TopologyXml.parse(xml.toString());
    }

    @ParameterizedTest
    @MethodSource("machines")
    void differencesAreThoseOfHwlocDiff(String name) throws Exception {
        long seed = RandomSeed.next("drift of " + name);
        Topology one = TopologyXml.parse(Machines.xml(name));
        Topology other = drifted(one, new Random(seed));
        TopologyDiff diff = TopologyDiff.between(one, other).withReference("one.xml");
        Path first = write("one.xml", TopologyXml.write(one));
        Path second = write("other.xml", TopologyXml.write(other));
        Path theirs = folder.resolve("theirs.xml");
        run("hwloc-diff", "--refname", "one.xml", first.toString(), second.toString(), theirs.toString());
        if (diff.changes().isEmpty()) {
            assertThat(TopologyXml.write(other)).isEqualTo(TopologyXml.write(one));
            return;
        }
        assertThat(diff.isApplicable()).as(diff.changes().toString()).isTrue();
        assertThat(diff.toXml()).isEqualTo(Files.readString(theirs));
        assertThat(TopologyDiff.parse(Files.readString(theirs)).changes()).isEqualTo(diff.changes());

        Path ours = write("ours.xml", diff.toXml());
        Path patched = folder.resolve("patched.xml");
        run("hwloc-patch", first.toString(), ours.toString(), patched.toString());
        String expected = TopologyXml.write(TopologyXml.parse(Files.readString(patched)));
        assertThat(TopologyXml.write(diff.applyTo(one))).isEqualTo(expected);
        assertThat(TopologyXml.write(diff.applyTo(one))).isEqualTo(TopologyXml.write(other));
        assertThat(TopologyXml.write(diff.reversed().applyTo(other))).isEqualTo(TopologyXml.write(one));
        assertThat(TopologyDiff.between(one, diff.reversed().applyTo(other)).changes())
                .isEmpty();
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static void run(String tool, String... arguments) {
        List<String> command = new ArrayList<>(List.of(Tool.require(tool).toString()));
        command.addAll(List.of(arguments));
        Tool.output(command.toArray(String[]::new));
    }

    @Test
    void otherShapesAreToldInWords() {
        Topology one = TopologyXml.parse(Machines.xml("2x8x2"));
        Topology other = TopologyXml.parse(Machines.xml("2x10x8"));
        TopologyDiff diff = TopologyDiff.between(one, other);
        assertThat(diff.isApplicable()).isFalse();
        assertThat(diff.changes()).singleElement().satisfies(change -> {
            assertThat(change.kind()).isEqualTo(Kind.TOO_COMPLEX);
            assertThat(change.newValue()).contains("CPUs 0-31 become 0-159");
        });
        assertThatThrownBy(diff::toXml).hasMessageContaining("too complex");
        assertThatThrownBy(() -> diff.applyTo(one)).hasMessageContaining("change 1 of 1 does not fit");
    }

    @Test
    void aDeviceMoreIsTold() {
        Topology one = TopologyXml.parse(Machines.xml("32em64t-2n8c+1mic"));
        Topology other = TopologyEditor.of(one).addMisc(one.root(), "Extra").build();
        assertThat(TopologyDiff.between(one, other).changes())
                .singleElement()
                .satisfies(change -> assertThat(change.newValue())
                        .contains("8 children become 9, the first of them that comes is Misc"));
        Topology narrowed = one.withAllowed(CpuSet.of(0), NodeSet.of(0));
        assertThat(TopologyDiff.between(one, narrowed).changes())
                .singleElement()
                .satisfies(change -> assertThat(change.newValue()).contains("allowed CPUs"));
        Topology farther = TopologyEditor.of(one).removeDistances().build();
        assertThat(TopologyDiff.between(one, farther).isApplicable()).isFalse();
    }

    @Test
    void whatDoesNotFitChangesNothing() {
        Topology one = TopologyXml.parse(Machines.xml("8amd64-4n2c"));
        String diff = """
                <topologydiff><diff type="0" obj_depth="%s" obj_index="%s" obj_attr_type="0" obj_attr_index="0" \
                obj_attr_oldvalue="%s" obj_attr_newvalue="5"/></topologydiff>""";
        long size = one.object(ObjectType.NUMA_NODE, 0).orElseThrow().totalMemoryBytes();
        Topology changed = TopologyDiff.parse(diff.formatted(-3, 0, size)).applyTo(one);
        assertThat(changed.object(ObjectType.NUMA_NODE, 0).orElseThrow().totalMemoryBytes())
                .isEqualTo(5);
        assertThat(changed.root().totalMemoryBytes()).isEqualTo(one.root().totalMemoryBytes() - size + 5);
        for (String[] wrong : new String[][] {
            {"-3", "9", "" + size}, {"-3", "0", "1"}, {"0", "0", "1"}, {"99", "0", "1"}, {"-99", "0", "1"}
        }) {
            assertThatThrownBy(() ->
                            TopologyDiff.parse(diff.formatted((Object[]) wrong)).applyTo(one))
                    .hasMessageContaining("change 1 of 1 does not fit");
        }
    }

    @Test
    void damagedFilesAreRefused() {
        for (String xml : new String[] {
            "",
            "<a/>",
            "<topologydiff>",
            "<topologydiff><diff/></topologydiff>",
            "<topologydiff><diff type=\"7\"/></topologydiff>",
            "<topologydiff><diff type=\"0\" obj_attr_type=\"0\" obj_attr_oldvalue=\"x\" obj_attr_newvalue=\"1\"/></topologydiff>"
        }) {
            assertThatThrownBy(() -> TopologyDiff.parse(xml))
                    .isInstanceOf(TopologyException.class)
                    .hasMessageContaining("line 1");
        }
        assertThat(TopologyDiff.parse("<topologydiff refname=\"a\"/>").reference())
                .contains("a");
    }
}
