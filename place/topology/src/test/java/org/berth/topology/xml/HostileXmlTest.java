package org.berth.topology.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.berth.machines.Machines;
import org.berth.machines.RandomMachine;
import org.berth.machines.RandomSeed;
import org.berth.topology.TopologyException;
import org.berth.topology.type.ObjectType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever the input, the outcome is a topology or one clear line with the line number. */
@Tag("one-jdk")
class HostileXmlTest {
    private static final String SETS = " cpuset=\"0x1\" nodeset=\"0x1\"";
    private static final String NODE = "<object type=\"NUMANode\" os_index=\"0\"" + SETS + "/>";
    private static final String PU = "<object type=\"PU\" os_index=\"0\"" + SETS + "/>";

    private static String machine(String inside) {
        return "<topology version=\"2.0\">\n<object type=\"Machine\"" + SETS + ">\n" + inside
                + "\n</object>\n</topology>";
    }

    @Test
    void theSmallestMachineIsRead() {
        assertThat(TopologyXml.parse(machine(NODE + PU))).hasToString("0 packages, 0 cores, 1 PUs, 1 NUMA nodes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0001',
            value = {
                "|.*not well-formed XML.*",
                "hello|line 1: not well-formed XML.*",
                "<topology version='2.0'>|line 1: not well-formed XML.*",
                "<root/>|line 1: <root> is not an hwloc topology",
                "<topology/>|line 1: <topology> has no version .hwloc 1.x.*",
                "<topology version='1.0'/>|line 1: <topology> has version 1.0; 2.x and 3.x can be read.*",
                "<topology version='9.0'/>|line 1: <topology> has version 9.0.*",
                "<topology version='2.0'/>|line 1: the topology has no object",
                "<topology version='2.0'></topology><topology/>|line 1: .*",
                "<topology version='2.0'><object type='PU' os_index='0' cpuset='1' nodeset='1'/></topology>|"
                        + "line 1: PU P#0 is the root; expected a Machine",
                "<topology version='2.0'><object/></topology>|line 1: <object> attribute type is missing",
            })
    void malformedFilesAreRefused(String xml, String message) {
        assertRefused(xml == null ? "" : xml, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0001',
            value = {
                "<object type='Castle'/>|line 3: <object> has the unknown type \"Castle\"",
                "<object type='Machine' cpuset='1' nodeset='1'/>|line 3: <object> Machine cannot be inside Machine",
                "<object type='PU' cpuset='1' nodeset='1'/>|line 3: <object> attribute os_index is missing",
                "<object type='PU' os_index='0' nodeset='1'/>|line 3: <object> attribute cpuset is missing",
                "<object type='PU' os_index='-1' cpuset='1' nodeset='1'/>|line 3: .*os_index=\"-1\" is not between.*",
                "<object type='PU' os_index='4294967296' cpuset='1' nodeset='1'/>|line 3: .*is not between.*",
                "<object type='PU' os_index='99999999999999999999' cpuset='1' nodeset='1'/>|line 3: .*not a number.*",
                "<object type='PU' os_index='1' cpuset='1' nodeset='1'/>|line 3: PU P#1 has the cpuset \"0\"",
                "<object type='PU' os_index='1' cpuset='2' nodeset='1'/>|line 3: PU P#1 has the cpuset \"1\", not all.*",
                "<object type='PU' os_index='0' cpuset='zz' nodeset='1'/>|line 3: <object> cpuset: CPU mask \"zz\": .*",
                "<object type='PU' os_index='0' cpuset='0xf...f' nodeset='1'/>|line 3: <object> .* is infinite",
                "<object type='Core' cpuset='0x0' nodeset='1'/>|line 2: Machine P#0 has no PU",
                "<object type='NUMANode' os_index='0' cpuset='1' nodeset='1'/>|line 2: Machine P#0 has no PU",
                "<object type='L1Cache' cpuset='1' nodeset='1' depth='3'/>|line 3: .*cannot have depth 3.*",
                "<object type='L1Cache' cpuset='1' nodeset='1' cache_size='-5'/>|line 3: .*is negative",
                "<object type='PCIDev' pci_busid='nowhere'/>|line 3: <object> pci_busid=\"nowhere\" is malformed",
                "<object type='OSDev' osdev_type='x'/>|line 3: <object> osdev_type=\"x\" is not a number in range",
                "<object type='OSDev'><object type='PU'/></object>|line 3: <object> PU cannot be inside OSDev",
                "<info value='x'/>|line 3: <info> attribute name is missing",
            })
    void wrongObjectsAreRefused(String object, String message) {
        assertRefused(machine(object), message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0001',
            value = {
                "<distances2 type='NUMANode' nbobjs='1000000000' indexing='os'/>|.*nbobjs=\"1000000000\" is out of range, 1 to 2048",
                "<distances2 type='NUMANode' nbobjs='2' indexing='os'><indexes>0</indexes></distances2>|"
                        + "line 5: distances of 2 objects have 1 indexes and 0 values",
                "<distances2 nbobjs='2' indexing='os'/>|line 5: <distances2> attribute type is missing",
                "<distances2 type='Castle' nbobjs='1' indexing='os'/>|line 5: .*unknown type \"Castle\"",
                "<distances2 type='PU' nbobjs='1' indexing='os'><indexes>a</indexes></distances2>|line 5: .*not a number.*",
                "<distances2hetero nbobjs='1'><indexes>7</indexes></distances2hetero>|line 5: .*unknown type \"\"",
                "<memattr/>|line 5: <memattr> attribute name is missing",
                "<memattr name='x'><memattr_value/></memattr>|line 5: <memattr_value> attribute .* is missing",
                "<cpukind/>|line 5: <cpukind> attribute cpuset is missing",
            })
    void wrongSectionsAreRefused(String section, String message) {
        String xml = machine(NODE + PU).replace("</topology>", section + "</topology>");
        assertRefused(xml, message);
    }

    @Test
    void entitiesAreNotExpanded(@TempDir Path folder) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "top secret");
        String bomb = "<!DOCTYPE topology [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">"
                + "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;\">]>\n";
        String external = "<!DOCTYPE topology [<!ENTITY d SYSTEM \"" + secret.toUri() + "\">]>\n";
        for (String doctype : new String[] {bomb, external}) {
            for (String use : new String[] {"&d;", "<info name='x' value='&d;'/>"}) {
                assertThatThrownBy(() -> TopologyXml.parse(doctype + machine(use + NODE + PU)))
                        .isInstanceOf(TopologyException.class)
                        .hasMessageMatching("line \\d+: .*")
                        .hasMessageNotContaining("secret\n")
                        .hasMessageNotContaining("top secret");
            }
        }
    }

    @Test
    void theDtdIsNotFetched() {
        // Nothing listens there: a parser that tried would fail.
        String xml = "<!DOCTYPE topology SYSTEM \"http://127.0.0.1:1/hwloc2.dtd\">\n" + machine(NODE + PU);
        assertThat(TopologyXml.parse(xml).count(ObjectType.PU)).isOne();
    }

    @Test
    void deepNestingIsRefused() {
        String deep = "<object type=\"Misc\">".repeat(100_000);
        assertRefused(machine(deep), "line 3: <object> nested deeper than the limit of 200");
        assertRefused(machine("<odd>".repeat(100_000)), "line 3: <odd> nested deeper than the limit of 200");
    }

    @Test
    void tooManyObjectsAreRefused() {
        String many = "<object type=\"Misc\"/>".repeat(200_001);
        assertRefused(machine(many), "line 3: <object> is one more than the limit of 200000 objects");
    }

    @Test
    void tooManySectionsAndNamesAreRefused() {
        String kinds =
                machine(NODE + PU).replace("</topology>", "<cpukind cpuset=\"1\"/>".repeat(8_193) + "</topology>");
        assertRefused(kinds, "line 5: <cpukind> is beyond the limit of 8192 matrices, .*");
        String names = IntStream.range(0, 1_001).mapToObj(i -> "<n" + i + "/>").collect(Collectors.joining());
        assertRefused(machine(names + NODE + PU), "line 3: <n\\d+> uses more than the limit of 1000 different names");
    }

    @Test
    void tooManyLevelsAreRefused() {
        StringBuilder groups = new StringBuilder(NODE);
        for (int i = 0; i < 1000; i++) {
            groups.append("<object type=\"Group\" kind=\"").append(i).append("\" cpuset=\"0x0\" nodeset=\"0x0\"/>");
        }
        assertRefused(machine(groups + PU), "line 3: Group opens more than the limit of 256 levels");
    }

    @Test
    void endlessTagsAndFilesAreRefused() {
        String huge = "<object type=\"Misc\" name=\"" + "x".repeat(2 << 20) + "\"/>";
        assertRefused(machine(huge), ".*one tag or text is longer than the limit.*");
        InputStream endless = new SequenceInputStream(
                new ByteArrayInputStream("<topology version=\"2.0\">".getBytes(StandardCharsets.US_ASCII)),
                new EndlessInput("<x y='" + "z".repeat(10_000) + "'/>"));
        assertThatThrownBy(() -> TopologyXml.parse(endless))
                .isInstanceOf(TopologyException.class)
                .hasMessageMatching("line 1: .*longer than the limit of \\d+ characters");
    }

    @Test
    void aMillionCpusInEverySetAreAffordable() {
        String wide = "0x80000000" + ",".repeat(32_767);
        String pu = "<object type=\"PU\" os_index=\"1048575\" cpuset=\"" + wide + "\" nodeset=\"0x1\"/>";
        assertRefused(machine(NODE + pu), "line 3: PU P#1048575 has the cpuset .*not all inside its parent's");
        assertRefused(machine(NODE + pu.replace("0x8", "0x1,8")), ".*longer than the limit of 1048576 bits");
    }

    @Test
    void aByteOrderMarkIsPassedOver() {
        String xml = "\ufeff<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + machine(NODE + PU);
        assertThat(TopologyXml.parse(xml).count(ObjectType.PU)).isOne();
        byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
        assertThat(TopologyXml.parse(new ByteArrayInputStream(bytes)).count(ObjectType.PU))
                .isOne();
        assertRefused("\ufeff\ufeff" + xml, "line 1: not well-formed XML.*");
        assertRefused("\ufeff", "line 1: not well-formed XML.*");
    }

    @Test
    void textIsReadAcrossComments() {
        String section = "<distances2 type='PU' nbobjs='1' indexing='os'><indexes>0<!-- x --></indexes>"
                + "<u64values><?y?>1<![CDATA[0]]></u64values></distances2>";
        String xml = machine(NODE + PU).replace("</topology>", section + "</topology>");
        assertThat(TopologyXml.parse(xml).distances()).isEmpty();
        assertRefused(xml.replace("<?y?>", "<y/>"), "line 5: <y> is inside an element that holds text alone");
    }

    @Test
    void streamsThatFailAreReported() {
        InputStream broken = new FilterInputStream(InputStream.nullInputStream()) {
            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                throw new IOException("disk on fire");
            }
        };
        assertThatThrownBy(() -> TopologyXml.parse(broken))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("disk on fire");
    }

    @Test
    void otherEncodingsAreRefusedInSilence() {
        PrintStream console = System.err;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        try {
            byte[] xml = machine("<info name='x' value='\u00fc'/>" + NODE + PU).getBytes(StandardCharsets.ISO_8859_1);
            assertThatThrownBy(() -> TopologyXml.parse(new ByteArrayInputStream(xml)))
                    .isInstanceOf(TopologyException.class)
                    .hasMessageMatching("line \\d+: not UTF-8 text");
        } finally {
            System.setErr(console);
        }
        assertThat(written.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void everyPrefixOfAFileIsRefused() {
        String xml = Machines.xml("2arm-2c");
        int end = xml.lastIndexOf('>');
        for (int length = 0; length < end; length++) {
            String prefix = xml.substring(0, length);
            assertThatThrownBy(() -> TopologyXml.parse(prefix)).isInstanceOf(TopologyException.class);
        }
    }

    @Test
    void damagedFilesGiveATopologyOrOneLine() {
        long seed = RandomSeed.next("damaged files");
        Random random = new Random(seed);
        String recorded = Machines.xml("2arm-2c");
        int refused = 0;
        for (int i = 0; i < 1_500; i++) {
            String whole = random.nextBoolean() ? recorded : RandomMachine.xml(random.nextInt());
            byte[] damaged = damage(whole.getBytes(StandardCharsets.UTF_8), random);
            try {
                TopologyXml.parse(new ByteArrayInputStream(damaged)).describe();
            } catch (TopologyException e) {
                refused++;
                assertThat(e.getMessage()).as("seed %d case %d", seed, i).matches("line \\d+: [^\\n]{1,400}");
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError(
                        "seed " + seed + " case " + i + ":\n" + new String(damaged, StandardCharsets.UTF_8), e);
            }
        }
        assertThat(refused).isPositive();
    }

    /** Flips, drops, doubles or moves pieces, digits above all. */
    private static byte[] damage(byte[] xml, Random random) {
        byte[] result = xml.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(result.length);
            switch (random.nextInt(4)) {
                case 0 -> result[at] = (byte) random.nextInt(256);
                case 1 -> {
                    while (!Character.isDigit(result[at])) {
                        at = (at + 1) % result.length;
                    }
                    result[at] = (byte) ('0' + random.nextInt(10));
                }
                case 2 -> {
                    int length = Math.min(random.nextInt(80), result.length - at);
                    System.arraycopy(result, random.nextInt(result.length - length + 1), result, at, length);
                }
                default -> {
                    byte[] shorter = new byte[result.length - 1];
                    System.arraycopy(result, 0, shorter, 0, at);
                    System.arraycopy(result, at + 1, shorter, at, shorter.length - at);
                    result = shorter;
                }
            }
        }
        return result;
    }

    private static void assertRefused(String xml, String message) {
        assertThatThrownBy(() -> TopologyXml.parse(xml))
                .isInstanceOf(TopologyException.class)
                .hasMessageMatching(message);
    }

    private static final class EndlessInput extends InputStream {
        private final byte[] pattern;
        private int position;

        EndlessInput(String pattern) {
            this.pattern = pattern.getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public int read() {
            position = (position + 1) % pattern.length;
            return pattern[(position + pattern.length - 1) % pattern.length];
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            for (int i = offset; i < offset + length; i++) {
                buffer[i] = (byte) read();
            }
            return length;
        }
    }
}
