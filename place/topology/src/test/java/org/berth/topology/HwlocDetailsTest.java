package org.berth.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.regex.Pattern;
import org.berth.machines.Machines;
import org.berth.oracle.HwlocTools;
import org.berth.oracle.Tool;
import org.berth.topology.diff.TopologyDiff;
import org.berth.topology.edit.TopologyEditor;
import org.berth.topology.type.Info;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Details of files that no recorded machine has, as hwloc's tools and functions have them. */
class HwlocDetailsTest {
    private static final String XEON = Machines.xml("2x8x2");

    private static String lstopo(String xml, String... arguments) {
        return HwlocTools.run(Tool.require("lstopo-no-graphics"), xml, arguments);
    }

    private static String twoBackends() {
        return XEON.replaceFirst(
                "(?=<object type=\"Package\")",
                "<info name=\"Backend\" value=\"x86\"/><info name=\"Backend\" value=\"Linux\"/>"
                        + "<info name=\"Backend\" value=\"Linux\"/>");
    }

    @Test
    void severalInfosOfOneNameAreKept() {
        Topology machine = TopologyXml.parse(twoBackends());
        List<Info> backends = machine.root().allInfos().stream()
                .filter(info -> info.name().equals("Backend"))
                .toList();
        assertThat(backends)
                .containsExactly(
                        new Info("Backend", "Synthetic"),
                        new Info("Backend", "x86"),
                        new Info("Backend", "Linux"),
                        new Info("Backend", "Linux"));
        assertThat(machine.infos()).containsEntry("Backend", "Synthetic");
        Pattern backend = Pattern.compile("name=\"Backend\" value=\"(\\w+)\"");
        assertThat(backend.matcher(TopologyXml.write(machine)).results().map(found -> found.group(1)))
                .containsExactly("Synthetic", "x86", "Linux", "Linux");
        assertThat(lstopo(twoBackends(), "-v")).contains(machine.root().attributesText());
    }

    @Test
    void oneOfSeveralInfosIsChanged() {
        Topology before = TopologyXml.parse(twoBackends());
        Topology after = TopologyXml.parse(twoBackends().replaceFirst("value=\"Linux\"", "value=\"Other\""));
        TopologyDiff diff = TopologyDiff.between(before, after);
        assertThat(diff.changes())
                .singleElement()
                .satisfies(change ->
                        assertThat(change.oldValue() + change.newValue()).isEqualTo("LinuxOther"));
        assertThat(TopologyXml.write(diff.applyTo(before))).isEqualTo(TopologyXml.write(after));
        assertThat(TopologyDiff.between(before, diff.applyTo(before)).changes()).hasSize(1);
        Topology one = TopologyEditor.of(before)
                .addInfo(before.root(), "Backend", "only")
                .build();
        assertThat(one.root().allInfos()).containsOnlyOnce(new Info("Backend", "only"));
        assertThat(one.root().allInfos()).hasSize(before.root().allInfos().size() - 3);
    }

    /** hwloc's functions take data and unified caches alone (hwloc_obj_type_is_dcache). */
    @Test
    void cachesOfInstructionsDoNotCover() {
        Topology machine = TopologyXml.parse(XEON);
        for (TopologyObject pu : machine.objects(ObjectType.PU)) {
            TopologyObject cache = machine.coveringCache(pu.cpuSet()).orElseThrow();
            assertThat(cache.type()).isEqualTo(ObjectType.L1_CACHE);
            assertThat(cache.cpuSet().containsAll(pu.cpuSet())).isTrue();
            assertThat(pu.sharedCache()).containsSame(cache);
        }
        Topology devices = TopologyXml.parse(Machines.xml("32em64t-2n8c+1mic"));
        assertThat(devices.devices())
                .isNotEmpty()
                .allMatch(device -> device.sharedCache().isEmpty());
    }

    /** Like hwloc_get_cache_type_depth, a unified cache is the one of each kind. */
    @Test
    void unifiedCachesHoldInstructions() {
        Topology machine = TopologyXml.parse(XEON);
        for (ObjectAttributes.CacheKind kind : ObjectAttributes.CacheKind.values()) {
            assertThat(machine.cacheDepth(3, kind))
                    .hasValue(machine.depths(ObjectType.L3_CACHE).get(0));
        }
        assertThat(machine.cacheDepth(1, ObjectAttributes.CacheKind.INSTRUCTION))
                .hasValue(machine.depths(ObjectType.L1I_CACHE).get(0));
        assertThat(machine.cacheDepth(1, ObjectAttributes.CacheKind.UNIFIED)).isEmpty();
    }

    /** The CPUs that are offline belong to the memory of the parent, whatever the file says about the memory. */
    @Test
    void memoryHasTheCompleteSetOfItsParent() {
        String xml = XEON.replaceFirst("(type=\"Machine\".* complete_cpuset=)\"[^\"]*\"", "$1\"0xf,0xffffffff\"")
                .replaceFirst("(type=\"Package\".* complete_cpuset=)\"([^\"]*)\"", "$1\"0x3,$2\"");
        Topology machine = TopologyXml.parse(xml);
        TopologyObject node = machine.object(ObjectType.NUMA_NODE, 0).orElseThrow();
        assertThat(node.completeCpuSet()).isEqualTo(node.parent().orElseThrow().completeCpuSet());
        assertThat(node.completeCpuSet().contains(33)).isTrue();
        String[] asXml = {"--of", "xml", "--filter", "all:all", "--disallowed"};
        Topology theirs = TopologyXml.parse(lstopo(xml, asXml));
        String sets = " complete_cpuset=\"(\\S+)\".*";
        assertThat(completeSets(lstopo(xml, asXml), sets)).isEqualTo(completeSets(TopologyXml.write(machine), sets));
        assertThat(theirs.completeCpuSet()).isEqualTo(machine.completeCpuSet());
    }

    private static List<String> completeSets(String xml, String pattern) {
        return Pattern.compile(pattern)
                .matcher(xml)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void aMachineWithoutANumberIsTheFirst() {
        String xml = XEON.replaceFirst("type=\"Machine\" os_index=\"0\"", "type=\"Machine\"");
        assertThat(xml).isNotEqualTo(XEON);
        assertThat(TopologyXml.parse(xml).root()).hasToString("Machine L#0 (P#0)");
        assertThat(lstopo(xml, "-v")).contains("\nMachine (P#0 ");
    }

    @Test
    void sizesAreRoundedAsByLstopo() {
        String xml = XEON.replace("cache_size=\"32768\"", "cache_size=\"10000000\"")
                .replaceAll("local_memory=\"\\d+\"", "local_memory=\"34359738880\"")
                .replace("cache_associativity=\"8\"", "cache_associativity=\"-1\"");
        Topology machine = TopologyXml.parse(xml);
        String theirs = lstopo(xml, "-v", "--no-collapse", "--filter", "all:all");
        assertThat(machine.object(ObjectType.L1_CACHE, 0).orElseThrow().attributesText())
                .startsWith("size=9766KB")
                .satisfies(text -> assertThat(theirs).contains(text));
        String node = machine.object(ObjectType.NUMA_NODE, 0).orElseThrow().attributesText();
        assertThat(theirs).contains(node);
    }

    @Test
    void aPciDeviceIsCalledAsByLstopo() {
        Topology machine = TopologyXml.parse(Machines.xml("32em64t-2n8c+1mic"));
        assertThat(machine.objects(ObjectType.PCI_DEVICE))
                .isNotEmpty()
                .allMatch(device -> device.typeName().equals("PCI"));
    }

    @ParameterizedTest
    @CsvSource({
        "nvml0,,5",
        "nvml0,NVML,1",
        "rsmi0,RSMI,1",
        "cuda0,CUDA,5",
        "opencl0d0,OpenCL,5",
        "nvml0,CUDA,5",
        "card0,,1"
    })
    void theNumberOfADeviceInFormat2Stays(String name, String subtype, int number) {
        String device = "<object type=\"OSDev\" gp_index=\"99999\" name=\"" + name + "\""
                + (subtype == null ? "" : " subtype=\"" + subtype + "\"") + " osdev_type=\"" + number + "\"/>";
        String xml = XEON.replaceFirst("(?s)(.*)(</object>)", "$1" + device + "$2");
        Topology machine = TopologyXml.parse(xml);
        String written = TopologyXml.write(machine);
        assertThat(written).contains(device);
        TopologyObject again = TopologyXml.parse(written).device(name).orElseThrow();
        assertThat(again.attributes())
                .isEqualTo(machine.device(name).orElseThrow().attributes());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ma", "machine", "nu", "NUMAnode", "no", "memca", "memory-side", "pa", "pack", "so", "sock", "SOCKET",
                "di", "die", "co", "core", "pu", "misc", "brid", "hostbr", "HostBridge", "pcibr", "pci", "PCIDev",
                "L1dCache", "l2u", "l3ucache", "L1c", "l1icache", "L2i", "gr", "group0", "GROUP", "os", "osdev", "bloc",
                "net", "network", "openfab", "dma", "gpu", "coproc", "co-pro", "Co-Processor"
            })
    void namesThatHwlocReadsAreRead(String name) {
        assertThat(ObjectType.named(name)).as(name).isPresent();
        assertThat(isKnownToLstopo(name)).as(name).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "m", "n", "mem-", "memc", "p", "s", "d", "c", "coq", "copr", "mis", "bri", "hostb", "pcib", "pc", "l",
                "l0", "l6", "l4i", "l9cache", "l1x", "l1dx", "g", "gru", "group-1", "o", "blo", "ne", "openfa", "dm",
                "gp", "corex"
            })
    void otherNamesAreNot(String name) {
        assertThat(ObjectType.named(name)).as(name).isEmpty();
        assertThat(isKnownToLstopo(name)).as(name).isFalse();
    }

    private static boolean isKnownToLstopo(String name) {
        // An unknown type is ignored: then everything is printed.
        return !lstopo(XEON, "--only", name).equals(lstopo(XEON));
    }

    @Test
    void groupsAndDevicesAreFoundByTheirShortNames() {
        Topology machine = TopologyXml.parse(Machines.xml("32em64t-2n8c+1mic"));
        assertThat(machine.objects("network")).isEqualTo(machine.objects("Net")).isNotEmpty();
        assertThat(machine.objects("hostbr"))
                .isEqualTo(machine.objects("HostBridge"))
                .isNotEmpty();
        assertThat(machine.objects("brid")).isEqualTo(machine.objects(ObjectType.BRIDGE));
        Topology groups = TopologyXml.parse(Machines.xml("4fake-4gr1nu1pu"));
        assertThat(groups.objects("gr"))
                .isEqualTo(groups.objects(ObjectType.GROUP))
                .isNotEmpty();
        assertThat(groups.objects("gr0")).isEqualTo(groups.objects("Group0")).isNotEmpty();
    }

    /** Two cores, of CPUs 0 and 1; CPU 2 is offline, and memory node 1 is left out. */
    private static String twoCores(String firstCore, String secondCore, String firstPu, String firstNode) {
        String nodes = " nodeset=\"1\" complete_nodeset=\"";
        return "<topology version=\"2.0\"><object type=\"Machine\" os_index=\"0\" cpuset=\"3\" complete_cpuset=\"7\""
                + " gp_index=\"1\"" + nodes
                + "3\"><object type=\"NUMANode\" os_index=\"0\" cpuset=\"3\" complete_cpuset=\"7\""
                + " gp_index=\"2\"" + nodes + firstNode + "\"/>" + core(0, "1", firstCore, firstPu)
                + core(1, "2", secondCore, "2")
                + "</object></topology>";
    }

    private static String core(int number, String cpus, String complete, String completePu) {
        String sets = " os_index=\"" + number + "\" nodeset=\"1\" complete_nodeset=\"3\" cpuset=\"" + cpus + "\"";
        return "<object type=\"Core\" gp_index=\"1" + number + "\"" + sets + " complete_cpuset=\"" + complete + "\">"
                + "<object type=\"PU\" gp_index=\"2" + number + "\"" + sets + " complete_cpuset=\"" + completePu
                + "\"/></object>";
    }

    @Test
    void setsOfOfflineCpusAreKept() {
        String xml = twoCores("1", "6", "1", "1");
        assertThat(TopologyXml.parse(xml)
                        .object(ObjectType.CORE, 1)
                        .orElseThrow()
                        .completeCpuSet())
                .hasToString("1-2");
        assertThat(lstopo(xml)).contains("Core");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "5|2|5|1|PU P#0 has the complete_cpuset \"0,2\"",
                "1|6|1|3|NUMANode P#0 has the complete_nodeset \"0-1\"",
                "7|6|1|1|Core P#1 has the complete_cpuset \"1-2\", shared with a sibling",
                "5|6|1|1|Core P#1 has the complete_cpuset \"1-2\", shared with a sibling",
            })
    void setsThatHwlocsCheckRefusesAreRefused(String first, String second, String pu, String node, String message) {
        String xml = twoCores(first, second, pu, node);
        assertThatThrownBy(() -> TopologyXml.parse(xml))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining(message);
    }
}
