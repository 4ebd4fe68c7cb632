package org.berth.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.berth.transport.failure.TransportException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server in a network of its own, whose adapter or address goes while messages are under way: no packet tells the client. */
@Tag("one-jdk")
final class NetworkDownTest {
    private static final Map<String, String> IMPATIENT =
            Map.of("providers", "tcp", "stall-timeout", "2s", "ping-interval", "1s");

    private final long id = ProcessHandle.current().pid();
    private final String network = "berth" + id;
    private final String here = "bh" + id;
    private final String there = "bt" + id;
    /** A subnet of the range for tests of networks, RFC 2544. */
    private final String subnet = "198.18." + id % 256 + ".";

    private static void ip(String words) {
        Tool.requireSuccess(("ip " + words).split(" ", -1));
    }

    @BeforeEach
    void network() {
        Machine.requireRoot();
        Tool.require("ip");
        try {
            Child.Result made = Child.run("ip", "netns", "add", network);
            Assumptions.assumeTrue(made.exitCode() == 0, "no network of its own here: " + made.err());
            Child.Result pair =
                    Child.run("ip", "link", "add", here, "type", "veth", "peer", "name", there, "netns", network);
            Assumptions.assumeTrue(pair.exitCode() == 0, "no pair of adapters here: " + pair.err());
        } catch (RuntimeException e) {
            remove();
            throw e;
        }
        ip("addr add " + subnet + "1/30 dev " + here);
        ip("link set " + here + " up");
        ip("-n " + network + " addr add " + subnet + "2/30 dev " + there);
        ip("-n " + network + " link set " + there + " up");
    }

    @AfterEach
    void remove() {
        if (Machine.uid() == 0 && Tool.find("ip").isPresent()) {
            Child.run("ip", "link", "del", here);
            Child.run("ip", "netns", "del", network);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"address", "adapter"})
    void clientHearsOfIt(String what) throws Exception {
        ChildJvm program = ChildJvm.of(EchoProgram.class, "tcp", subnet + "2")
                .with("-XX:TieredStopAtLevel=1")
                .under("ip", "netns", "exec", network);
        try (Child server = program.start();
                Transport client = Transport.open(Echo.settings("client", IMPATIENT))) {
            Echo.Client echo = new Echo.Client(client, server.readLine(), "hello");
            assertThat(echo.ask(new byte[1_000_000])).hasSize(1_000_000);
            if (what.equals("address")) {
                ip("-n " + network + " addr del " + subnet + "2/30 dev " + there);
            } else {
                ip("-n " + network + " link set " + there + " down");
            }
            try {
                for (int i = 0; i < 20; i++) {
                    echo.send(new byte[1_000_000]);
                }
            } catch (TransportException heardAlready) {
                assertThat(heardAlready.kind()).isIn(TransportException.Kind.CLOSED, TransportException.Kind.TIMEOUT);
            }
            assertThat(echo.end()).isIn("CLOSED", "TIMEOUT");
            MessagesTest.requireNothingLeased(client);
        }
    }
}
