package org.berth.topology.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.machines.RandomMachine;
import org.berth.machines.RandomSeed;
import org.berth.oracle.HwlocTools;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.berth.topology.IndexSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.internal.bits.Bitmap;
import org.berth.topology.internal.bits.BitmapBuilder;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Restricting a machine leaves what lstopo leaves of it; and the checks of hwloc's hwloc_topology_restrict test. */
@Tag("one-jdk")
class RestrictionTest {
    static Stream<String> machines() {
        return Stream.concat(Machines.names().stream(), Machines.literature().stream());
    }

    @ParameterizedTest
    @MethodSource("machines")
    void leavesWhatLstopoLeaves(String name) {
        long seed = RandomSeed.next("restrictions of " + name);
        compare(name, Machines.xml(name), new Random(seed), 2);
    }

    @Test
    void leavesWhatLstopoLeavesOfRandomMachines() {
        long seed = RandomSeed.next("restrictions of random machines");
        for (int i = 0; i < 15; i++) {
            compare("seed " + (seed + i), RandomMachine.xml(seed + i), new Random(seed + i), 2);
        }
    }

    /** Its groups become a level of five with one child each, and their parents are a package and two caches. */
    @Test
    void groupsOfOneLevelWithParentsInSeveral() {
        long seed = 38266492877932L;
        compare("seed " + seed, RandomMachine.xml(seed), new Random(seed), 2);
    }

    private static void compare(String name, String xml, Random random, int rounds) {
        Path lstopo = Tool.require("lstopo-no-graphics");
        // lstopo loses what a second reading would change, such as the order of infos; so both begin with its own
        // output.
        Topology machine =
                TopologyXml.parse(HwlocTools.run(lstopo, xml, "--of", "xml", "--filter", "all:all", "--disallowed"));
        int compared = 0;
        for (int i = 0; i < rounds; i++) {
            CpuSet cpus = CpuSet.over(some(machine.cpuSet(), random));
            NodeSet nodes = NodeSet.over(some(machine.nodeSet(), random));
            int adapt = random.nextInt(4);
            for (int others = 0; others < 2; others++) {
                int byCpus = others + 2 * adapt;
                compared += check(
                        lstopo,
                        name,
                        machine,
                        cpus.toMaskString(),
                        byCpus,
                        (editor, options) -> editor.restrictTo(cpus, options));
                int byNodes = 8 + 16 * others + 2 * adapt;
                compared += check(
                        lstopo,
                        name,
                        machine,
                        "nodeset=" + nodes.toMaskString(),
                        byNodes,
                        (editor, options) -> editor.restrictTo(nodes, options));
            }
        }
        assertThat(compared).as(name + ": comparisons that hwloc did not abort").isPositive();
    }

    private static Bitmap some(IndexSet<?> set, Random random) {
        BitmapBuilder builder = new BitmapBuilder();
        int share = 1 + random.nextInt(4);
        set.forEachIndex(index -> {
            if (random.nextInt(4) < share) {
                builder.add(index);
            }
        });
        return builder.build();
    }

    private interface Restricting {
        TopologyEditor apply(TopologyEditor editor, RestrictOption... options);
    }

    /** The number of comparisons: 0 when hwloc fails on what it made itself. */
    private static int check(
            Path lstopo, String name, Topology machine, String text, int flags, Restricting restricting) {
        String about = name + ": --restrict " + text + " --restrict-flags " + flags;
        Optional<String> ours;
        try {
            TopologyEditor editor = TopologyEditor.of(machine);
            ours = Optional.of(
                    TopologyXml.write(restricting.apply(editor, options(flags)).build()));
        } catch (IllegalArgumentException e) {
            ours = Optional.empty();
        }
        String theirs;
        try {
            theirs = HwlocTools.run(
                    lstopo,
                    TopologyXml.write(machine),
                    "--of",
                    "xml",
                    "--filter",
                    "all:all",
                    "--disallowed",
                    "--restrict",
                    text,
                    "--restrict-flags",
                    Integer.toString(flags));
        } catch (IllegalStateException e) {
            // hwloc 2.9 fails its own checks when it moves misc and I/O objects up, or leaves no PU of a package.
            assertThat(e).as(about).hasMessageContaining("Assertion");
            return 0;
        }
        if (ours.isEmpty()) {
            // lstopo says so on its standard error and goes on with the whole machine.
            assertThat(theirs.lines().filter(line -> line.contains("type=\"PU\"")))
                    .as(about)
                    .hasSize(machine.count(ObjectType.PU));
            return 1;
        }
        assertThat(comparable(ours.get())).as(about).containsExactlyElementsOf(comparable(theirs));
        return 1;
    }

    private static RestrictOption[] options(int flags) {
        List<RestrictOption> options = new ArrayList<>();
        if ((flags & 1) != 0) {
            options.add(RestrictOption.REMOVE_CPULESS);
        }
        if ((flags & 2) != 0) {
            options.add(RestrictOption.ADAPT_MISC);
        }
        if ((flags & 4) != 0) {
            options.add(RestrictOption.ADAPT_IO);
        }
        if ((flags & 16) != 0) {
            options.add(RestrictOption.REMOVE_MEMLESS);
        }
        return options.toArray(new RestrictOption[0]);
    }

    private static List<String> comparable(String xml) {
        // hwloc 2.9 writes the values of memory attributes as they were, and corrects them when it is asked for them.
        return xml.lines()
                .filter(line -> !line.contains("<support ") && !line.contains("<memattr_value "))
                .toList();
    }

    @Test
    void whatCannotBeLeftIsRefused() {
        Topology machine = TopologyXml.parse(Machines.xml("8amd64-4n2c"));
        TopologyEditor editor = TopologyEditor.of(machine);
        assertThatThrownBy(() -> editor.restrictTo(CpuSet.of(4000))).hasMessageContaining("none of the CPUs 4000");
        assertThatThrownBy(() -> editor.restrictTo(NodeSet.of(40))).hasMessageContaining("none of the nodes 40");
        assertThatThrownBy(() -> editor.restrictTo(NodeSet.of(0), RestrictOption.REMOVE_CPULESS))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(TopologyXml.write(editor.build())).isEqualTo(TopologyXml.write(machine));
    }

    @Test
    void theOriginalStaysAndObjectsThatAreGoneAreRefused() {
        Topology machine = TopologyXml.parse(Machines.xml("8amd64-4n2c"));
        TopologyObject node = machine.numaNode(1).orElseThrow();
        String before = TopologyXml.write(machine);
        TopologyEditor editor = TopologyEditor.of(machine).restrictTo(node.cpuSet(), RestrictOption.REMOVE_CPULESS);
        Topology small = editor.build();
        assertThat(small.count(ObjectType.PU)).isEqualTo(2);
        assertThat(small.count(ObjectType.NUMA_NODE)).isEqualTo(1);
        assertThat(small.distances()).isEmpty();
        assertThat(TopologyXml.write(machine)).isEqualTo(before);
        TopologyObject gone = machine.numaNode(2).orElseThrow();
        assertThatThrownBy(() -> editor.addInfo(gone, "a", "b")).hasMessageContaining("no longer");
        assertThat(editor.restrictTo(node.cpuSet().singlify()).build().cpuSet())
                .isEqualTo(node.cpuSet().singlify());
    }
}
