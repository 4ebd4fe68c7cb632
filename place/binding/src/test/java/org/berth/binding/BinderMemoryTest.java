package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.NativeBridge;
import org.berth.placement.MemoryMode;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The oracle is /proc/self/numa_maps, where the kernel writes policy and node of every mapping. */
@SuppressWarnings("try") // a scope is there to be closed
class BinderMemoryTest {
    private static final LocalMachine MACHINE = LocalMachine.open();

    /** Above malloc's threshold, so that the buffer is a mapping of its own. */
    private static final int BUFFER_BYTES = 8 << 20;

    private final Binder binder = MACHINE.binder();
    private final NodeSet nodes = MACHINE.topology().allowedNodeSet();

    @AfterEach
    void thePolicyOfTheTestThreadIsBack() {
        assertThat(binder.memoryPolicy()).isEqualTo(MemoryPolicy.local());
    }

    @ParameterizedTest
    @EnumSource(names = "LOCAL", mode = EnumSource.Mode.EXCLUDE)
    void bindsNewMemoryOfTheThread(MemoryMode mode) {
        Modes.require(mode);
        MemoryPolicy policy = new MemoryPolicy(mode, nodes);
        try (BoundScope bound = binder.bindMemory(policy)) {
            assertThat(binder.memoryPolicy()).isEqualTo(policy);
            try (BoundScope inner = binder.bindMemory(MemoryPolicy.local())) {
                assertThat(binder.memoryPolicy()).isEqualTo(MemoryPolicy.local());
            }
            assertThat(binder.memoryPolicy()).isEqualTo(policy);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "LOCAL", mode = EnumSource.Mode.EXCLUDE)
    void bindsTheRangeOfABuffer(MemoryMode mode) throws IOException {
        Modes.require(mode);
        ByteBuffer buffer = touched();
        binder.bindRange(buffer, new MemoryPolicy(mode, nodes), true);
        String word = Modes.columnStart(mode);
        assertThat(policyColumn(buffer)).startsWith(word).endsWith(":" + nodes);
        binder.bindRange(buffer, MemoryPolicy.local(), false);
        assertThat(policyColumn(buffer)).isEqualTo("default");
    }

    @Test
    void tellsTheNodeOfEveryPage() {
        ByteBuffer untouched = ByteBuffer.allocateDirect(BUFFER_BYTES);
        int pages = binder.pageNodes(untouched).length;
        assertThat(pages).isBetween(BUFFER_BYTES / 65536, BUFFER_BYTES / 4096 + 1);
        for (int node : binder.pageNodes(touched())) {
            assertThat(nodes.contains(node)).isTrue();
        }
    }

    @Test
    void refusesNodesOutside() {
        NodeSet outside = NodeSet.of(nodes.last() + 1);
        MemoryPolicy policy = new MemoryPolicy(MemoryMode.BIND, outside);
        ByteBuffer buffer = touched();
        for (Runnable binding :
                List.<Runnable>of(() -> binder.bindMemory(policy), () -> binder.bindRange(buffer, policy, false))) {
            assertThatExceptionOfType(BindingException.class)
                    .isThrownBy(binding::run)
                    .satisfies(Oracle::assertOneLine)
                    .withMessageContaining("nodes " + outside + " are not allowed here")
                    .withMessageEndingWith("this process may use memory of nodes " + nodes);
        }
    }

    @Test
    void refusesWhatHasNoPagesOfItsOwn() {
        MemoryPolicy policy = new MemoryPolicy(MemoryMode.BIND, nodes);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> binder.bindRange(ByteBuffer.allocate(BUFFER_BYTES), policy, false))
                .withMessageContaining("only a direct buffer");
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> binder.bindRange(ByteBuffer.allocateDirect(100), policy, false))
                .withMessageContaining("it holds no whole page");
    }

    @Test
    void scopesMayBeClosedInAnyOrder() throws IOException {
        String before = threadPolicy();
        BoundScope outer = binder.bindMemory(new MemoryPolicy(MemoryMode.BIND, nodes));
        BoundScope inner = binder.bindMemory(new MemoryPolicy(MemoryMode.INTERLEAVE, nodes));
        outer.close();
        assertThat(threadPolicy()).startsWith("interleave").endsWith(":" + nodes);
        inner.close();
        assertThat(threadPolicy()).isEqualTo(before);
    }

    /** The policy of the program's text, which has none of its own; the file of a thread tells that of the thread. */
    private static String threadPolicy() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/thread-self/numa_maps"))) {
            return lines.findFirst().orElseThrow().split(" ", 3)[1];
        }
    }

    @Test
    void onlyTheBoundThreadMayGiveItsPolicyBack() throws Exception {
        ExecutorService worker = Executors.newSingleThreadExecutor();
        try {
            MemoryPolicy policy = new MemoryPolicy(MemoryMode.BIND, nodes);
            BoundScope bound = worker.submit(() -> binder.bindMemory(policy)).get();
            assertThatExceptionOfType(BindingException.class)
                    .isThrownBy(bound::close)
                    .withMessageEndingWith("close it in the thread that was bound");
            assertThat(worker.submit(binder::memoryPolicy).get()).isEqualTo(policy);
            worker.submit(bound::close).get();
            assertThat(worker.submit(binder::memoryPolicy).get()).isEqualTo(MemoryPolicy.local());
        } finally {
            worker.shutdown();
        }
    }

    private static ByteBuffer touched() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        for (int i = 0; i < BUFFER_BYTES; i += 1024) {
            buffer.put(i, (byte) 1);
        }
        return buffer;
    }

    /** Second column of the mapping that starts at the first whole page of the buffer. */
    private static String policyColumn(ByteBuffer buffer) throws IOException {
        long address = NativeBridge.directBufferAddress(buffer);
        return Files.readAllLines(Path.of("/proc/self/numa_maps")).stream()
                .map(line -> line.split(" ", 3))
                .filter(columns -> Long.compareUnsigned(Long.parseUnsignedLong(columns[0], 16), address + 65536) <= 0)
                .reduce((earlier, later) -> later)
                .map(columns -> columns[1] + " " + columns[2])
                .map(columns -> columns.replaceAll("^(default|.*?:[\\d,-]+) .*", "$1"))
                .orElseThrow();
    }
}
