package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.TestRpcBase.TestRpcService;
import org.berth.oracle.Await;
import org.junit.jupiter.api.Test;

/** Protocols whose calls run on the thread that received them. */
class InlineTest {
    @Test
    void namedProtocolsRunWithoutHandlers() throws IOException {
        Configuration settings = new Configuration();
        settings.set("berth.rpc.inline", "some.other.Protocol, " + TestRpcService.class.getName());
        try (EchoServer server = EchoServer.start(EchoServer.FAST, settings);
                EchoClient client = server.client(EchoServer.FAST)) {
            Map<String, String> facts = client.facts();
            assertThat(facts)
                    .containsEntry("way", "BerthCall")
                    .containsEntry("server", "true")
                    .containsEntry("ip", "127.0.0.1");
            assertThat(facts.get("thread")).startsWith("berth-rpc-server");
            assertThat(catchThrowableOfType(RemoteException.class, () -> client.echo(Echo.THROW + "StandbyException"))
                            .getClassName())
                    .endsWith("StandbyException");
            long before = server.hadoop().getTotalRequests();
            assertThat(client.echo("counted")).isEqualTo("counted");
            Await.until("the call in Hadoop's metrics", () -> server.hadoop().getTotalRequests() > before);
        }
    }
}
