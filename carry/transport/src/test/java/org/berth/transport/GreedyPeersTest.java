package org.berth.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.oracle.Await;
import org.berth.transport.failure.Refusals;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.EngineParts;
import org.berth.transport.link.Frame;
import org.berth.transport.link.FrameKind;
import org.berth.transport.link.Introductions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Peers that announce much, dribble, or come without an introduction: others go on as if these were not there. */
final class GreedyPeersTest {
    private final List<@Nullable TransportException> ends = Collections.synchronizedList(new ArrayList<>());

    /** Such a one is never stalled, and holds a buffer. */
    @Test
    void aPeerWhoseMessageDribblesInIsLeft() throws Exception {
        try (Transport server = Transport.open(Echo.settings("server", FaultsTest.IMPATIENT));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(ends));
                Socket socket = FaultsTest.connect(listener)) {
            socket.getOutputStream().write(FaultsTest.hello());
            byte[] message = FaultsTest.frame(FrameKind.DATA, new byte[100_000]);
            Thread dribbling = new Thread(() -> {
                try {
                    for (byte one : message) {
                        socket.getOutputStream().write(one);
                        Thread.sleep(20);
                    }
                } catch (IOException | InterruptedException closed) {
                    // As it must be.
                }
            });
            dribbling.start();
            Await.until("the end", () -> ends.size() == 1);
            assertThat(ends.get(0)).hasMessageContaining("too slowly");
            dribbling.join();
            MessagesTest.requireNothingLeased(server);
        }
    }

    /** 32 peers of another user announce the largest message and send nothing of it; before, four of them had all buffers. */
    @Test
    void announcementsTakeNothingFromOtherUsers() throws Exception {
        AtomicInteger users = new AtomicInteger();
        Acceptor byUser = (connection, introduction) -> {
            connection.belongsTo(introduction.hasRemaining() ? "victim" : "announcer");
            users.incrementAndGet();
            return Echo.acceptor(ends).accept(connection, introduction);
        };
        Map<String, String> patient = new HashMap<>(FaultsTest.IMPATIENT);
        patient.put("stall-timeout", "60m");
        patient.put("ping-interval", "60m");
        byte[] announcement = ByteBuffer.allocate(Frame.HEADER_BYTES + 1).array();
        Frame.putHeader(ByteBuffer.wrap(announcement), FrameKind.DATA, 1 << 20);
        List<Socket> announcers = new ArrayList<>();
        try (Transport server = Transport.open(Echo.settings("server", patient));
                Transport client = Transport.open(Echo.settings("client", patient));
                Listener listener = server.listen("127.0.0.1:0", byUser);
                Echo.Client victim = new Echo.Client(client, listener.address(), "hello")) {
            for (int i = 0; i < 32; i++) {
                Socket one = FaultsTest.connect(listener);
                announcers.add(one);
                one.getOutputStream().write(FaultsTest.hello());
                one.getOutputStream().write(announcement);
            }
            Await.until("all let in", () -> users.get() == 33);
            Await.until("a pause", () -> server.statistics().pauses() > 0);
            for (int size : new int[] {1, 3000, 100_000, 1 << 20, 1 << 20}) {
                assertThat(victim.ask(new byte[size])).hasSize(size);
            }
            long pauses = server.statistics().pauses();
            for (int i = 0; i < 100; i++) {
                victim.ask(new byte[3000]);
            }
            assertThat(server.statistics().pauses() - pauses)
                    .as("announcers that were woken by the victim's messages, which make no room for them")
                    .isLessThan(32);
        } finally {
            for (Socket one : announcers) {
                one.close();
            }
        }
    }

    /** Each announces an introduction; before, they shared the buffers of all. The oldest end when there are too many. */
    @Test
    void peersThatDoNotIntroduceThemselvesAreLimited() throws Exception {
        Introductions limits = new Introductions(Introductions.openFiles(), new Refusals());
        byte[] announcement = ByteBuffer.allocate(Frame.HEADER_BYTES + 1).array();
        Frame.putHeader(ByteBuffer.wrap(announcement), FrameKind.HELLO, EngineParts.Strangers.LARGEST_MESSAGE_BYTES);
        List<Socket> strangers = new ArrayList<>();
        // With the usual patience: none of them may end for its silence before all have come.
        Map<String, String> tcp = Map.of("providers", "tcp");
        try (Transport server = Transport.open(Echo.settings("server", tcp));
                Transport client = Transport.open(Echo.settings("client", tcp));
                Listener listener = server.listen("127.0.0.1:0", Echo.acceptor(ends))) {
            for (int i = 0; i < limits.limit() + 10; i++) {
                Socket one = FaultsTest.connect(listener);
                strangers.add(one);
                one.getOutputStream().write(announcement);
            }
            Await.until("the ends of the oldest", () -> server.statistics().refusals() >= 10);
            strangers.get(0).setSoTimeout((int) Await.PATIENCE.toMillis());
            assertThat(readToTheEnd(strangers.get(0))).isZero();
            try (Echo.Client victim = new Echo.Client(client, listener.address(), "hello")) {
                assertThat(victim.ask(new byte[1 << 20])).hasSize(1 << 20);
            }
        } finally {
            for (Socket one : strangers) {
                one.close();
            }
        }
    }

    private static int readToTheEnd(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes().length;
        } catch (SocketException reset) {
            return 0;
        }
    }
}
