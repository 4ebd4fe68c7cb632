package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.berth.binding.errors.BindingException;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;

/** Over loopback the sender's CPU handles the packet, so that the test knows which one it is. */
@SuppressWarnings("try") // a scope is there to be closed
class IncomingCpuTest {
    private final LocalMachine machine = LocalMachine.open();
    private final Binder binder = machine.binder();

    @Test
    void theCpuOfAConnectionIsTheOneThatHandledItsLastPacket() throws IOException {
        try (ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel sender = SocketChannel.open(server.getLocalAddress());
                SocketChannel receiver = server.accept()) {
            for (int cpu : machine.topology().allowedCpuSet().toArray()) {
                try (BoundScope scope = binder.bindThread(CpuSet.of(cpu))) {
                    sender.write(ByteBuffer.allocate(1));
                }
                receiver.read(ByteBuffer.allocate(1));
                assertThat(binder.incomingCpu(receiver)).hasValue(cpu);
            }
        }
    }

    @Test
    void aChannelWithoutAPacketHasNoneAndAClosedOneIsRefused() throws IOException {
        SocketChannel channel = SocketChannel.open();
        try (channel) {
            assertThat(binder.incomingCpu(channel)).isEmpty();
        }
        assertThatExceptionOfType(BindingException.class)
                .isThrownBy(() -> binder.incomingCpu(channel))
                .withMessageStartingWith("cannot read the CPU that handles the packets of ")
                .withMessageContaining("EBADF");
    }
}
