package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.berth.oracle.ProcStatus;
import org.junit.jupiter.api.Test;

/** Many threads on one connection, and many connections to one server. */
class ManyCallersTest {
    private static final int THREADS = 32;
    private static final int CALLS = 300;
    private static final int USERS = 1000;

    @Test
    void threadsShareAConnectionAndEachGetsItsOwnAnswers() throws Exception {
        long seed = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoClient client = server.client(EchoServer.FAST)) {
            assertThat(client.way()).isEqualTo("BerthCall");
            String port = client.facts().get("port");
            List<Callable<Void>> callers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                callers.add(() -> {
                    Random random = new Random(seed + thread);
                    for (int call = 0; call < CALLS; call++) {
                        String text = thread + "/" + call + "x".repeat(random.nextInt(20_000));
                        assertThat(client.echo(text)).as("seed %d", seed).isEqualTo(text);
                    }
                    assertThat(client.facts()).containsEntry("port", port).containsEntry("way", "BerthCall");
                    return null;
                });
            }
            for (Future<Void> done : threads.invokeAll(callers)) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void thousandUsersHaveTheirConnections() throws Exception {
        Configuration settings = new Configuration();
        settings.setInt("ipc.client.connection.maxidletime", 60_000);
        List<EchoClient> clients = new ArrayList<>();
        try (EchoServer server = EchoServer.start(EchoServer.FAST, settings)) {
            int before = threads();
            for (int i = 0; i < USERS; i++) {
                UserGroupInformation user = UserGroupInformation.createRemoteUser("user" + i);
                EchoClient client = EchoClient.connect(EchoServer.FAST, server.address(), settings, user, 0);
                clients.add(client);
                assertThat(client.facts())
                        .containsEntry("way", "BerthCall")
                        .containsEntry("user", "user" + i + " (auth:SIMPLE)");
            }
            for (EchoClient client : clients) {
                assertThat(client.way()).isEqualTo("BerthCall");
            }
            assertThat(before).isPositive();
        } finally {
            clients.forEach(EchoClient::close);
        }
    }

    private static int threads() {
        return ProcStatus.threads(ProcessHandle.current().pid()).size();
    }
}
