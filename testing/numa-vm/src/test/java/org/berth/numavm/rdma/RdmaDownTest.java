package org.berth.numavm.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.berth.numavm.Guest;
import org.berth.oracle.Child;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The NIC below the device goes down while messages are under way: connections end, no buffer is lost, and no process. (The device
 * itself cannot be deleted then: the kernel waits for all that have it open.)
 */
@Tag(Guest.TAG)
@Tag("rdma-down")
class RdmaDownTest {
    private static final String[] SETTINGS = {
        "providers=ucx", "ucx=" + SoftRdma.UCX, "stall-timeout=5s", "ping-interval=5s"
    };

    @BeforeAll
    static void makeTheDevice() throws Exception {
        SoftRdma.start();
    }

    @Test
    void aConnectionEndsWhenTheNicGoesDownAndTheNextOneIsOverVerbs() throws Exception {
        try (Child server = server()) {
            String address = RdmaPeers.address(server);
            try {
                connectionEnds(server, address);
            } finally {
                SoftRdma.up();
            }
            rightOver(address);
        }
    }

    @Test
    void callsFailWhenTheNicGoesDownAndWorkWhenItIsUpAgain() throws Exception {
        RdmaRpcTest.overVerbs(List.of("ipc.client.rpc-timeout.ms=20000"), client -> {
            try {
                SoftRdma.down();
                client.send("ask 1 65536");
                String answer = client.readLine();
                assertThat(answer.startsWith("failed ")).as(answer).isTrue();
                System.out.println("guest: " + answer);
            } finally {
                SoftRdma.up();
            }
            client.send("ask 1 65536");
            assertThat(client.readLine()).as("answers after that").isEqualTo("right 1");
        });
    }

    private static Child server() {
        return Child.start(RdmaPeers.server(SETTINGS));
    }

    private static Child client(String address) {
        return Child.start(RdmaPeers.client(address, SETTINGS));
    }

    private static void connectionEnds(Child server, String address) throws Exception {
        try (Child client = client(address)) {
            assertThat(client.readLine()).as("the provider").isEqualTo("over ucx");
            client.send("until-the-end 262144");
            assertThat(client.readLine()).as("what it says").isEqualTo("answered");
            SoftRdma.down();
            String end = client.readLine();
            assertThat(end.startsWith("ended ")).as(end).isTrue();
            System.out.println("guest: " + end);
            RdmaPeers.noBufferLeft(client);
            RdmaPeers.noBufferLeft(server);
        }
    }

    private static void rightOver(String address) {
        try (Child client = client(address)) {
            assertThat(client.readLine()).as("the provider").isEqualTo("over ucx");
            client.send("ask 2 1 65536");
            assertThat(client.readLine()).as("answers").isEqualTo("right 4");
        }
    }
}
