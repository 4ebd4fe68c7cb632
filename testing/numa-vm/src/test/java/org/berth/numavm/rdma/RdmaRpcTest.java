package org.berth.numavm.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.berth.numavm.Guest;
import org.berth.oracle.Child;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of Hadoop RPC between two JVMs of the guest, which nothing but RDMA may carry. */
@Tag(Guest.TAG)
@Tag("rdma-rpc")
class RdmaRpcTest {
    private static final String SIZES = "1 1000 65536 1048576";
    private static final int CALLS = 3;
    /** The payload of all calls there and back, in packets that are full. */
    private static final long LEAST_PACKETS = 2 * CALLS * (1 << 20) / 4096;

    private static final List<String> VERBS =
            List.of("berth.rpc.providers=ucx", "berth.rpc.ucx=" + SoftRdma.UCX, "berth.rpc.connect-timeout.ms=60000");

    /** What is done with a client whose calls go over the transport. */
    interface Calls {
        void make(Child client) throws Exception;
    }

    @BeforeAll
    static void makeTheDevice() throws Exception {
        SoftRdma.start();
    }

    @ParameterizedTest(name = "wait mode {0}")
    @ValueSource(strings = {"event", "hybrid"})
    void callsOf1BTo1MbGoOverVerbs(String wait) throws Exception {
        long before = SoftRdma.sentPackets();
        overVerbs(List.of("berth.rpc.wait=" + wait), RdmaRpcTest::allRight);
        long packets = SoftRdma.sentPackets() - before;
        assertThat(packets > LEAST_PACKETS)
                .as("only " + packets + " packets over rxe0")
                .isTrue();
    }

    @Test
    void callsOverTcpAreNoPacketsOfTheAdapter() throws Exception {
        long before = SoftRdma.sentPackets();
        calls(List.of("berth.rpc.providers=tcp"), "tcp", RdmaRpcTest::allRight);
        assertThat(SoftRdma.sentPackets() - before).as("packets").isEqualTo(0L);
    }

    static void overVerbs(List<String> more, Calls calls) throws Exception {
        List<String> settings = new ArrayList<>(VERBS);
        settings.addAll(more);
        calls(settings, "ucx", calls);
    }

    /** The first call tells the way of all others. */
    private static void calls(List<String> settings, String provider, Calls calls) throws Exception {
        try (Child server = Child.start(RdmaPeers.java(RpcPeer.class, words("server", "", settings)))) {
            String port = RdmaPeers.address(server);
            try (Child client = Child.start(RdmaPeers.java(RpcPeer.class, words("client", port, settings)))) {
                client.send("ask 1 1");
                assertThat(client.readLine()).as("answers").isEqualTo("right 1");
                String said = client.errors();
                assertThat(said.contains("over the transport (" + provider + ")"))
                        .as("client: " + said + "server: " + server.errors())
                        .isTrue();
                calls.make(client);
            }
        }
    }

    private static void allRight(Child client) {
        client.send("ask " + CALLS + " " + SIZES);
        assertThat(client.readLine()).as("answers").isEqualTo("right " + CALLS * SIZES.split(" ", -1).length);
    }

    private static String[] words(String role, String port, List<String> settings) {
        List<String> words = new ArrayList<>(List.of(role));
        if (!port.isEmpty()) {
            words.add(port);
        }
        words.addAll(settings);
        return words.toArray(String[]::new);
    }
}
