package org.berth.machines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.HwlocTools;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MachinesTest {
    @Test
    void everyNameHasItsFiles() {
        assertThat(Machines.names()).hasSize(24).doesNotHaveDuplicates();
        assertThat(Machines.literature()).hasSize(4);
        for (String name : Machines.names()) {
            assertThat(Machines.xml(name)).contains("<topology version=\"2.0\">");
            assertThat(Machines.expected(name).machine()).isEqualTo(name);
        }
        Machines.literature().forEach(name -> assertThat(Machines.xml(name)).contains("SyntheticDescription"));
        Machines.format3()
                .forEach(name -> assertThat(Machines.format3Xml(name)).contains("<topology version=\"3.0\">"));
    }

    /** The layouts are what their names say: packages, NUMA nodes, L3 caches, cores and PUs, counted by hwloc. */
    @ParameterizedTest
    @CsvSource({
        "epyc7002-nps1, 1, 1, 16, 64, 128",
        "epyc7002-nps4, 1, 4, 16, 64, 128",
        "epyc7003-nps1, 2, 2, 16, 128, 256",
        "epyc7003-nps4, 2, 8, 16, 128, 256",
        "epyc9004-nps1, 1, 1, 12, 96, 192",
        "epyc9004-nps4, 1, 4, 12, 96, 192",
        "xeon-snc4, 2, 8, 2, 112, 224",
        "graviton3, 1, 1, 1, 64, 64",
        "graviton-no-l3, 1, 1, 0, 64, 64",
        "grace, 2, 2, 2, 144, 144",
        "x3d, 1, 1, 2, 16, 32"
    })
    void hwlocCountsTheObjectsOfServers(String name, int packages, int nodes, int caches, int cores, int pus) {
        Path lstopo = Tool.require("lstopo-no-graphics");
        assertThat(Machines.servers()).contains(name).hasSize(11);
        assertThat(Stream.of("package", "numanode", "l3cache", "core", "pu")
                        .map(type -> HwlocTools.run(lstopo, Machines.xml(name), "--only", type)
                                .lines()
                                .count()))
                .containsExactly((long) packages, (long) nodes, (long) caches, (long) cores, (long) pus);
    }

    @Test
    void unknownNamesAreRefused() {
        assertThatThrownBy(() -> Machines.xml("abacus"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("abacus");
        assertThatThrownBy(() -> Machines.expected("2x8x2")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Machines.tree("2x8x2")).isInstanceOf(IllegalArgumentException.class);
    }

    /** hwloc itself says where the devices are that were put there. */
    @Test
    void hwlocFindsAddedDevicesWhereTheyWerePut() {
        Path info = Tool.require("hwloc-info");
        String xml = MachineDevices.below(Machines.xml("2x8x2"), "Package", 1);
        for (String device : List.of("os=ib0", "os=mlx5_0", "os=nvme0n1", "os=card0", "os=eth9", "pci=a1:00.0")) {
            assertThat(HwlocTools.run(info, xml, "--ancestor", "package", device))
                    .as(device)
                    .contains("Package L#1")
                    .doesNotContain("Package L#0");
        }
        assertThat(MachineDevices.places(xml, "Package")).isEqualTo(2);
        assertThat(MachineDevices.cpuset(xml, "Package", 1)).isEqualTo("0xff00ff00");
    }

    /** The tree of files and the XML are two records of one machine; hwloc reads the tree, we compare the texts. */
    @ParameterizedTest
    @ValueSource(strings = {"2amd64-2n", "16amd64-8n2c-cpusets", "20em64t-hybrid-1p6c2t+2ca4co1t"})
    void hwlocFindsTheMachineInItsTree(String name) {
        Path lstopo = Tool.require("lstopo-no-graphics");
        Map<String, String> environment = Map.of(
                "HWLOC_FSROOT",
                Machines.tree(name).toString(),
                "HWLOC_COMPONENTS",
                "linux,stop",
                "HWLOC_THISSYSTEM",
                "0");
        String output = Tool.output(environment, lstopo.toString(), "--only", "pu");
        assertThat(output.lines()).hasSize(Machines.expected(name).pus());
    }

    @Test
    void treesAreDeletedWhenTheJvmEnds() {
        Path tree = Path.of(ChildJvm.of(UnpackAndEnd.class).run().output());
        assertThat(tree.getFileName()).hasToString("2amd64-2n");
        assertThat(Files.exists(tree)).isFalse();
    }

    /** Main class of the child JVM. */
    static final class UnpackAndEnd {
        private UnpackAndEnd() {}

        public static void main(String[] arguments) {
            Path tree = Machines.tree("2amd64-2n");
            if (!Files.isDirectory(tree.resolve("sys"))) {
                throw new IllegalStateException("no sys folder in " + tree);
            }
            System.out.println(tree);
        }
    }

    @Test
    void aSeedAlwaysGivesTheSameMachine() {
        assertThat(RandomMachine.xml(7)).isEqualTo(RandomMachine.xml(7)).isNotEqualTo(RandomMachine.xml(8));
        assertThat(RandomMachine.regular(2, 3, 4).split("type=\"PU\"", -1)).hasSize(2 * 3 * 4 + 1);
    }
}
