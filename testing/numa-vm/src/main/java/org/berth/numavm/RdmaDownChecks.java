package org.berth.numavm;

import java.util.List;
import org.berth.oracle.Child;

/**
 * The NIC below the device goes down while messages are under way: connections end, no buffer is lost, and no process.
 * (The device itself cannot be deleted then: the kernel waits for all that have it open.)
 */
final class RdmaDownChecks {
    private static final String[] SETTINGS = {
        "providers=ucx", "ucx=" + SoftRdma.UCX, "stall-timeout=5s", "ping-interval=5s"
    };

    private RdmaDownChecks() {}

    /** Requires the device to be present and leaves it present. */
    static void run(Checks checks) {
        checks.check("a connection over verbs ends when the NIC goes down, and the next one is over verbs", () -> {
            try (Child server = server()) {
                String address = server.readLine().substring("listens ".length());
                try {
                    connectionEnds(server, address);
                } finally {
                    SoftRdma.up();
                }
                rightOver(address);
            }
        });
        checks.check("calls of Hadoop RPC over verbs fail when the NIC goes down, and work when it is up again", () -> {
            RdmaRpcChecks.overVerbs(List.of("ipc.client.rpc-timeout.ms=20000"), client -> {
                try {
                    SoftRdma.down();
                    client.send("ask 1 65536");
                    String answer = client.readLine();
                    Checks.holds(answer, answer.startsWith("failed "));
                    System.out.println("guest: " + answer);
                } finally {
                    SoftRdma.up();
                }
                client.send("ask 1 65536");
                Checks.same("answers after that", "right 1", client.readLine());
            });
        });
    }

    private static Child server() {
        return Child.start(RdmaTransportChecks.java(TransportPeer.class, RdmaTransportChecks.with("server", SETTINGS)));
    }

    private static Child client(String address) {
        return Child.start(RdmaTransportChecks.client(address, SETTINGS));
    }

    private static void connectionEnds(Child server, String address) throws Exception {
        try (Child client = client(address)) {
            Checks.same("the provider", "over ucx", client.readLine());
            client.send("until-the-end 262144");
            Checks.same("what it says", "answered", client.readLine());
            SoftRdma.down();
            String end = client.readLine();
            Checks.holds(end, end.startsWith("ended "));
            System.out.println("guest: " + end);
            RdmaTransportChecks.noBufferLeft(client);
            RdmaTransportChecks.noBufferLeft(server);
        }
    }

    private static void rightOver(String address) {
        try (Child client = client(address)) {
            Checks.same("the provider", "over ucx", client.readLine());
            client.send("ask 2 1 65536");
            Checks.same("answers", "right 4", client.readLine());
        }
    }
}
