package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Requests and responses as large as Hadoop's limits, and larger. */
class SizesTest {
    private static final int LARGE = 32 << 20;

    @Test
    void largeRequestsAndResponsesArrive() throws IOException {
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoClient client = server.client(EchoServer.FAST)) {
            assertThat(client.way()).isEqualTo("BerthCall");
            String letters = client.echo(Echo.LETTERS + LARGE);
            assertThat(letters).hasSize(LARGE).doesNotContain("!");
            assertThat(client.echo(letters)).isEqualTo(letters);
            assertThat(server.hadoop().getNumOpenConnections()).isLessThanOrEqualTo(1);
        }
    }

    /** Hadoop's server closes the connection of such a request; so does its answer to the other way. */
    @Test
    void requestsBeyondTheServersLimitFailAsEver() throws IOException {
        Configuration small = new Configuration();
        small.setInt("ipc.maximum.data.length", 1 << 20);
        Configuration usual = new Configuration();
        try (EchoServer server = EchoServer.start(EchoServer.FAST, small);
                EchoClient fast = EchoClient.connect(EchoServer.FAST, server.address(), usual);
                EchoClient stock = EchoClient.connect(EchoServer.STOCK, server.address(), usual)) {
            String letters = "x".repeat(2 << 20);
            assertThat(fast.way()).isEqualTo("BerthCall");
            assertThat(catchThrowableOfType(IOException.class, () -> fast.echo(letters)))
                    .hasSameClassAs(catchThrowableOfType(IOException.class, () -> stock.echo(letters)));
            assertThat(fast.way()).isEqualTo("BerthCall");
        }
    }

    @Test
    void responsesBeyondTheClientsLimitFailAsEver() throws IOException {
        Configuration small = new Configuration();
        small.setInt("ipc.maximum.response.length", 1 << 20);
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoClient fast = EchoClient.connect(EchoServer.FAST, server.address(), small);
                EchoClient stock = EchoClient.connect(EchoServer.STOCK, server.address(), small)) {
            assertThat(fast.way()).isEqualTo("BerthCall");
            IOException one = catchThrowableOfType(IOException.class, () -> fast.echo(Echo.LETTERS + (2 << 20)));
            IOException other = catchThrowableOfType(IOException.class, () -> stock.echo(Echo.LETTERS + (2 << 20)));
            assertThat(one).hasSameClassAs(other).hasMessageContaining("exceeds maximum data length");
            assertThat(fast.way()).isEqualTo("BerthCall");
        }
    }
}
