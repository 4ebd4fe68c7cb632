package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.binding.internal.NativeBridge;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.placement.MemoryMode;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory on chosen nodes; the oracles are /proc/self/numa_maps and /proc/self/maps. */
@Timeout(120)
class BinderRangeTest {
    private static final LocalMachine MACHINE = LocalMachine.open();

    private final Binder binder = MACHINE.binder();
    private final NodeSet nodes = MACHINE.topology().allowedNodeSet();

    @ParameterizedTest
    @EnumSource(names = "LOCAL", mode = EnumSource.Mode.EXCLUDE)
    void aNewBufferIsWhereThePolicySays(MemoryMode mode) throws IOException {
        Modes.require(mode);
        int sizeBytes = (4 << 20) + 123;
        NativeMemory memory = binder.allocate(sizeBytes, new MemoryPolicy(mode, nodes));
        ByteBuffer buffer = memory.buffer();
        assertThat(buffer.capacity()).isEqualTo(sizeBytes);
        MemoryRange range = memory.range();
        assertThat(range.sizeBytes()).isEqualTo(sizeBytes);
        assertThat(binder.pageNodes(range)).as("no thread has touched it").containsOnly(-Errno.ENOENT);
        assertThat(binder.rangeNodes(range).isEmpty()).isTrue();
        for (int i = 0; i < sizeBytes; i += 512) {
            assertThat(buffer.get(i)).isZero();
            buffer.put(i, (byte) 7);
        }
        assertThat(nodes.containsAll(binder.rangeNodes(range))).isTrue();
        assertThat(Arrays.stream(binder.pageNodes(range)).allMatch(nodes::contains))
                .isTrue();
        assertThat(binder.rangePolicy(range)).isEqualTo(new MemoryPolicy(mode, nodes));
        String word = Modes.columnStart(mode);
        assertThat(numaMaps(range.address())).startsWith(word);
    }

    /** Second column of the mapping that an address is in. */
    private static String numaMaps(long address) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/numa_maps")).stream()
                .map(line -> line.split(" ", 3))
                .filter(columns -> Long.parseUnsignedLong(columns[0], 16) <= address)
                .reduce((earlier, later) -> later)
                .orElseThrow()[1];
    }

    @Test
    void theMemoryOfABufferThatIsGarbageIsGivenBack() throws Exception {
        ByteBuffer whole = binder.allocate(32 << 20, MemoryPolicy.local()).buffer();
        long address = MemoryRange.of(whole).address();
        WeakReference<ByteBuffer> reference = new WeakReference<>(whole);
        ByteBuffer slice = whole.slice(4096, 100);
        whole = ByteBuffer.allocate(1);
        System.gc();
        Thread.sleep(200);
        slice.put(0, (byte) 1);
        assertThat(isMapped(address)).as("a slice is still in use").isTrue();
        assertThat(slice.get(0)).isEqualTo((byte) 1);
        slice = whole;
        Await.untilAsserted("the end of the mapping", () -> {
            System.gc();
            assertThat(isMapped(address))
                    .as("after garbage collections, buffer %s", reference.get())
                    .isFalse();
        });
        assertThat(slice.capacity()).isOne();
    }

    private static boolean isMapped(long address) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .map(line -> line.split("[- ]", 3))
                .anyMatch(ends -> Long.compareUnsigned(Long.parseUnsignedLong(ends[0], 16), address) <= 0
                        && Long.compareUnsigned(address, Long.parseUnsignedLong(ends[1], 16)) < 0);
    }

    @Test
    void aRangeOfSeveralPoliciesHasNone() {
        ByteBuffer buffer = binder.allocate(1 << 20, new MemoryPolicy(MemoryMode.BIND, nodes))
                .buffer();
        ByteBuffer half = buffer.slice(1 << 19, 1 << 19);
        binder.bindRange(half, new MemoryPolicy(MemoryMode.INTERLEAVE, nodes), true);
        assertThat(binder.rangePolicy(MemoryRange.of(half)).mode()).isEqualTo(MemoryMode.INTERLEAVE);
        assertThat(binder.rangePolicy(MemoryRange.of(buffer.slice(0, 1 << 19))).mode())
                .isEqualTo(MemoryMode.BIND);
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> binder.rangePolicy(MemoryRange.of(buffer)))
                .satisfies(Oracle::assertOneLine)
                .withMessageContaining("EXDEV (not all alike)");
        binder.bindRange(buffer, MemoryPolicy.local(), false);
        assertThat(binder.rangePolicy(MemoryRange.of(buffer))).isEqualTo(MemoryPolicy.local());
    }

    @Test
    void whatCannotBeAllocatedIsRefused() {
        assertThatThrownBy(() -> binder.allocate(0, MemoryPolicy.local())).isInstanceOf(IllegalArgumentException.class);
        NodeSet outside = NodeSet.of(nodes.last() + 1);
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> binder.allocate(4096, new MemoryPolicy(MemoryMode.BIND, outside)))
                .withMessageContaining("nodes " + outside + " are not allowed here");
        assertThatThrownBy(() -> MemoryRange.of(ByteBuffer.allocate(5))).hasMessageContaining("only a direct buffer");
    }

    @Test
    void segmentsAreRangesOnNewerJvms() throws Exception {
        Machine.requireJava(22);
        Class<?> arenaType = Class.forName("java.lang.foreign.Arena");
        Object arena = arenaType.getMethod("ofShared").invoke(null);
        Method allocate = arenaType.getMethod("allocate", long.class, long.class);
        Object segment = allocate.invoke(arena, 8L << 20, 4096L);
        MemoryRange range = MemoryRange.ofSegment(segment);
        assertThat(range).hasToString("a memory segment of " + (8 << 20) + " bytes");
        MemoryPolicy policy = new MemoryPolicy(MemoryMode.BIND, nodes);
        binder.bindRange(range, policy, true);
        assertThat(binder.rangePolicy(range)).isEqualTo(policy);
        assertThat(Arrays.stream(binder.pageNodes(range)))
                .hasSizeGreaterThanOrEqualTo((8 << 20) / NativeBridge.pageBytes());
        binder.bindRange(range, MemoryPolicy.local(), false);
        arenaType.getMethod("close").invoke(arena);
        assertThatThrownBy(() -> MemoryRange.ofSegment(segment)).hasMessageContaining("an open arena");
        Object heap = Class.forName("java.lang.foreign.MemorySegment")
                .getMethod("ofArray", byte[].class)
                .invoke(null, (Object) new byte[100]);
        assertThatThrownBy(() -> MemoryRange.ofSegment(heap)).hasMessageContaining("only a native MemorySegment");
    }

    @Test
    void otherThingsAreNoSegments() {
        assertThatThrownBy(() -> MemoryRange.ofSegment("text"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("only a native MemorySegment");
    }
}
