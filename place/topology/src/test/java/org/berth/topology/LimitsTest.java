package org.berth.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.machines.Machines;
import org.berth.topology.edit.TopologyEditor;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Greatest values, copies, and what is stored of sets. */
class LimitsTest {
    private static final int LAST = 1_048_575;

    /** The set 0-3,64. */
    private static final String STORED =
            "rO0ABXNyAB9vcmcuYmVydGgudG9wb2xvZ3kuSW5kZXhTZXRGb3JtAAAAAAAAAAECAANaAAhpbmZpbml0ZVoABW5vZGVz"
                    + "WwAFd29yZHN0AAJbSnhwAAB1cgACW0p4IAS1ErF1kwIAAHhwAAAAAgAAAAAAAAAPAAAAAAAAAAE=";

    private static final Topology MACHINE = TopologyXml.parse(Machines.xml("2x8x2"));

    @Test
    void memoryOfATierIsNotMoreThanALongHolds() {
        String xml =
                Machines.xml("2x8x2").replaceAll("local_memory=\"\\d+\"", "local_memory=\"" + Long.MAX_VALUE + "\"");
        Topology huge = TopologyXml.parse(xml);
        assertThat(huge.memoryTiers())
                .singleElement()
                .satisfies(tier -> assertThat(tier.sizeBytes())
                        .isEqualTo(Long.MAX_VALUE)
                        .isEqualTo(huge.root().totalMemoryBytes()));
    }

    @Test
    void aMatrixHasAValueForEachPair() {
        List<TopologyObject> many = Collections.nCopies(65_536, MACHINE.root());
        assertThatThrownBy(() -> new Distances("x", 5, many, new long[0])).hasMessage("0 values for 65536 objects");
        StringBuilder misc = new StringBuilder();
        for (int i = 0; i < 2_049; i++) {
            misc.append("<object type=\"Misc\" gp_index=\"").append(100_000 + i).append("\"/>");
        }
        Topology wide =
                TopologyXml.parse(Machines.xml("2x8x2").replaceFirst("(?s)(.*)(</object>)", "$1" + misc + "$2"));
        List<TopologyObject> objects = wide.objects(ObjectType.MISC);
        assertThatThrownBy(() -> TopologyEditor.of(wide).addDistances("x", 5, objects))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("larger than the limit of 2048");
        Topology told = TopologyEditor.of(wide)
                .addDistances("x", 5, objects.subList(0, 2_048), new long[2_048 * 2_048])
                .build();
        assertThat(TopologyXml.parse(TopologyXml.write(told)).distances("x")).isPresent();
    }

    @Test
    void noMaskIsLongerThanASet() {
        for (String prefix : new String[] {"", "0x", "0xf...f"}) {
            String longest = prefix + "f".repeat((LAST + 1) / 4);
            CpuSet set = CpuSet.parseMask(longest);
            assertThat(set.contains(LAST)).isTrue();
            assertThat(CpuSet.parseList(set.toString()).equals(set)).isTrue();
            assertThatThrownBy(() -> CpuSet.parseMask(longest + "f"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("longer than the limit of 1048576 bits");
        }
        assertThat(CpuSet.parseMask("8" + "0".repeat((LAST + 1) / 4 - 1)).equals(CpuSet.of(LAST)))
                .isTrue();
        assertThat(CpuSet.parseMask("80000000" + ",".repeat(LAST / 32)).equals(CpuSet.of(LAST)))
                .isTrue();
    }

    @Test
    void attributesAreCopies() {
        SortedMap<Long, Long> pages = new TreeMap<>(Map.of(4096L, 7L));
        ObjectAttributes.NumaNode node = new ObjectAttributes.NumaNode(1, pages);
        Set<ObjectAttributes.DeviceKind> kinds = EnumSet.of(ObjectAttributes.DeviceKind.GPU);
        ObjectAttributes.OsDevice device = new ObjectAttributes.OsDevice(kinds);
        pages.clear();
        kinds.clear();
        assertThat(node.pagesBySizeBytes()).containsEntry(4096L, 7L);
        assertThat(device.kinds()).containsExactly(ObjectAttributes.DeviceKind.GPU);
        assertThatThrownBy(() -> node.pagesBySizeBytes().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> device.kinds().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void everyCharacterOfXmlCanBeInAnInfo() {
        String text = "\ud83d\ude00 \ue000\ufffd \ud800\udc00 \udbff\udffd";
        Topology told =
                TopologyEditor.of(MACHINE).addInfo(MACHINE.root(), "Mood", text).build();
        assertThat(TopologyXml.parse(TopologyXml.write(told)).infos()).containsEntry("Mood", text);
        for (String lone : new String[] {"\ud83d", "\ude00\ud83d", "a\udfff", "\ufffe"}) {
            assertThatThrownBy(() -> TopologyEditor.of(MACHINE).addInfo(MACHINE.root(), "Mood", lone))
                    .hasMessageContaining("that XML cannot hold");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, LAST + 2, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void noSetIsDividedIntoMorePartsThanItCanHave(int count) {
        assertThatThrownBy(() -> MACHINE.distribute(MACHINE.cpuSet(), count))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("into " + count + " parts");
        assertThatThrownBy(() -> MACHINE.distribute(List.of(MACHINE.root()), count, 1, false))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void messagesCutWhatTheyRepeat() {
        String name = "x".repeat(4_000);
        TopologyEditor editor = TopologyEditor.of(MACHINE);
        List<TopologyObject> many = Collections.nCopies(1_000, MACHINE.root());
        List<ThrowingCallable> wrong = List.of(
                () -> editor.addDistances(name, 5, List.of()),
                () -> editor.addMemoryAttribute(name, 7),
                () -> editor.setMemoryAttribute(name, MACHINE.root(), null, 1),
                () -> editor.addGroup(CpuSet.of(4_000), name),
                () -> MACHINE.distribute(many, 0, 1, false));
        for (ThrowingCallable call : wrong) {
            assertThatThrownBy(call)
                    .isInstanceOf(IllegalArgumentException.class)
                    .satisfies(refused -> assertThat(refused.getMessage()).hasSizeLessThan(300));
        }
    }

    @Test
    void aMillionPartsAreAffordable() {
        assertThat(MACHINE.distribute(MACHINE.cpuSet(), LAST + 1)).hasSize(LAST + 1);
    }

    @Test
    void ancestorsGoUpToTheMachine() {
        TopologyObject pu = MACHINE.pu(5).orElseThrow();
        List<TopologyObject> ancestors = pu.ancestors();
        assertThat(ancestors).hasSize(pu.depth()).first().isSameAs(pu.parent().orElseThrow());
        assertThat(ancestors.get(ancestors.size() - 1)).isSameAs(MACHINE.root());
        assertThat(ancestors).allMatch(pu::isWithin);
        assertThat(MACHINE.root().ancestors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0-3,8", "63-64", "4-", "0-", "0-3,9-", "1048575", "5,1048575-"})
    void setsGoThroughJavasSerialization(String list) throws Exception {
        CpuSet cpus = CpuSet.parseList(list);
        NodeSet nodes = NodeSet.parseList(list);
        List<Object> back = List.of(read(written(cpus)), read(written(nodes)));
        assertThat(back.get(0).equals(cpus)).isTrue();
        assertThat(back.get(1).equals(nodes)).isTrue();
        assertThat(back.get(0).equals(nodes)).isFalse();
    }

    /** Written by the first version with this form: streams that are stored somewhere stay readable. */
    @Test
    void theStoredFormStays() throws Exception {
        assertThat(Base64.getEncoder().encodeToString(written(CpuSet.parseList("0-3,64"))))
                .isEqualTo(STORED);
        assertThat(read(Base64.getDecoder().decode(STORED)).equals(CpuSet.parseList("0-3,64")))
                .isTrue();
    }

    /** The last bytes are the words: their number is made greater than a set has. */
    @Test
    void forgedStreamsAreRefused() throws IOException {
        byte[] stream = written(CpuSet.ofLongs(new long[] {1}));
        ByteBuffer words =
                ByteBuffer.allocate(stream.length + 8 * ((LAST + 1) / 64)).put(stream);
        words.putInt(stream.length - 12, 1 + (LAST + 1) / 64).put(words.limit() - 1, (byte) 1);
        assertThatThrownBy(() -> read(words.array())).isInstanceOf(InvalidObjectException.class);
    }

    private static byte[] written(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
            stream.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return stream.readObject();
        }
    }
}
