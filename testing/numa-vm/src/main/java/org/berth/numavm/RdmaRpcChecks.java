package org.berth.numavm;

import java.util.ArrayList;
import java.util.List;
import org.berth.oracle.Child;

/** Calls of Hadoop RPC between two JVMs of the guest, which nothing but RDMA may carry. */
final class RdmaRpcChecks {
    private static final String SIZES = "1 1000 65536 1048576";
    private static final int CALLS = 3;
    /** The payload of all calls there and back, in packets that are full. */
    private static final long LEAST_PACKETS = 2 * CALLS * (1 << 20) / 4096;

    private static final List<String> VERBS =
            List.of("berth.rpc.providers=ucx", "berth.rpc.ucx=" + SoftRdma.UCX, "berth.rpc.connect-timeout.ms=60000");

    private RdmaRpcChecks() {}

    /** What is done with a client whose calls go over the transport. */
    interface Calls {
        void make(Child client) throws Exception;
    }

    /** Requires the device to be present. */
    static void run(Checks checks) {
        for (String wait : List.of("event", "hybrid")) {
            checks.check("calls of Hadoop RPC with 1 B to 1 MB go over verbs, wait mode " + wait, () -> {
                long before = SoftRdma.sentPackets();
                overVerbs(List.of("berth.rpc.wait=" + wait), RdmaRpcChecks::allRight);
                long packets = SoftRdma.sentPackets() - before;
                Checks.holds("only " + packets + " packets over rxe0", packets > LEAST_PACKETS);
            });
        }
        checks.check("calls over the transport's TCP are no packets of rxe0", () -> {
            long before = SoftRdma.sentPackets();
            calls(List.of("berth.rpc.providers=tcp"), "tcp", RdmaRpcChecks::allRight);
            Checks.same("packets", 0L, SoftRdma.sentPackets() - before);
        });
    }

    static void overVerbs(List<String> more, Calls calls) throws Exception {
        List<String> settings = new ArrayList<>(VERBS);
        settings.addAll(more);
        calls(settings, "ucx", calls);
    }

    /** The first call tells the way of all others. */
    private static void calls(List<String> settings, String provider, Calls calls) throws Exception {
        try (Child server = Child.start(RdmaTransportChecks.java(RpcPeer.class, words("server", "", settings)))) {
            String port = server.readUntil("listens ").substring("listens ".length());
            try (Child client = Child.start(RdmaTransportChecks.java(RpcPeer.class, words("client", port, settings)))) {
                client.send("ask 1 1");
                Checks.same("answers", "right 1", client.readLine());
                String said = client.errors();
                Checks.holds(
                        "client: " + said + "server: " + server.errors(),
                        said.contains("over the transport (" + provider + ")"));
                calls.make(client);
            }
        }
    }

    private static void allRight(Child client) {
        client.send("ask " + CALLS + " " + SIZES);
        Checks.same("answers", "right " + CALLS * SIZES.split(" ", -1).length, client.readLine());
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
