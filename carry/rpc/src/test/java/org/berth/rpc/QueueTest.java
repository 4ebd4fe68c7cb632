package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.FairCallQueue;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcEngine;
import org.apache.hadoop.ipc.protobuf.TestProtos.SleepRequestProto;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.berth.oracle.Await;
import org.junit.jupiter.api.Test;

/** Calls of the transport go through the server's own queue: its handlers, its limits and its back-off. */
class QueueTest {
    private static Configuration oneCallMayWait() {
        Configuration settings = new Configuration();
        settings.setInt("ipc.server.handler.queue.size", 1);
        settings.setInt("ipc.client.connect.max.retries", 0);
        return settings;
    }

    @Test
    void callsBeyondAFullQueueWaitForTheirTurn() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (EchoServer server = EchoServer.start(EchoServer.FAST, oneCallMayWait(), 0, 1, null);
                EchoClient client = server.client(EchoServer.FAST)) {
            assertThat(client.way()).isEqualTo("BerthCall");
            Future<String> first = threads.submit(() -> client.echo(Echo.WAIT));
            server.service.waiting.await();
            List<Future<String>> others = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String text = "call " + i;
                others.add(threads.submit(() -> client.echo(text)));
            }
            Await.until("a full queue", () -> server.hadoop().getCallQueueLen() == 1);
            assertThat(first.isDone()).isFalse();
            server.service.mayGoOn.countDown();
            assertThat(first.get()).isEqualTo(Echo.WAIT);
            for (int i = 0; i < others.size(); i++) {
                assertThat(others.get(i).get()).isEqualTo("call " + i);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void serversThatAreTooBusyAskToComeBack() throws Exception {
        Configuration settings = oneCallMayWait();
        settings.setBoolean("ipc.backoff.enable", true);
        assertThat(tooBusy(EchoServer.FAST, settings)).isEqualTo(tooBusy(EchoServer.STOCK, settings));
    }

    @Test
    void fairQueueWorksForBothWays() throws Exception {
        Configuration settings = oneCallMayWait();
        settings.setBoolean("ipc.backoff.enable", true);
        settings.setClass("ipc.callqueue.impl", FairCallQueue.class, Object.class);
        settings.set("ipc.scheduler.impl", "org.apache.hadoop.ipc.DecayRpcScheduler");
        settings.setInt("ipc.server.handler.queue.size", 4);
        assertThat(tooBusy(EchoServer.FAST, settings)).isEqualTo(tooBusy(EchoServer.STOCK, settings));
    }

    /** The back-off that DecayRpcScheduler asks for, from the times that handlers report. */
    @Test
    void serversThatHaveBeenSlowAskToComeBack() throws Exception {
        Configuration settings = new Configuration();
        settings.setInt("ipc.client.connect.max.retries", 0);
        assertThat(tooSlow(EchoServer.FAST, settings)).isEqualTo(tooSlow(EchoServer.STOCK, settings));
    }

    /** What the first call is told that is refused because of those before it. */
    private static String tooSlow(RpcEngine engine, Configuration client) throws Exception {
        int port = EchoServer.portToComeBack();
        Configuration settings = new Configuration(client);
        String prefix = "ipc." + port + ".";
        settings.setBoolean(prefix + "backoff.enable", true);
        settings.setClass(prefix + "callqueue.impl", FairCallQueue.class, Object.class);
        settings.set(prefix + "scheduler.impl", "org.apache.hadoop.ipc.DecayRpcScheduler");
        settings.setInt(prefix + "scheduler.priority.levels", 2);
        settings.setInt(prefix + "decay-scheduler.period-ms", 1000);
        settings.setBoolean(prefix + "decay-scheduler.backoff.responsetime.enable", true);
        settings.set(prefix + "decay-scheduler.backoff.responsetime.thresholds", "200ms, 200ms");
        try (EchoServer server = EchoServer.start(EchoServer.FAST, settings, port, 1, null);
                EchoClient user = EchoClient.connect(engine, server.address(), client)) {
            user.echo("so that there is a connection");
            return Await.until("a refusal", () -> refusal(user), answer -> !answer.isEmpty());
        }
    }

    private static String refusal(EchoClient user) throws Exception {
        try {
            user.hadoop()
                    .sleep(
                            null,
                            SleepRequestProto.newBuilder().setMilliSeconds(600).build());
            return "";
        } catch (ServiceException e) {
            RemoteException refused = Objects.requireNonNull((RemoteException) e.getCause());
            return refused.getClassName() + " "
                    + String.valueOf(refused.getMessage()).lines().findFirst().orElse("");
        }
    }

    /** What the first call is told that finds no place, while one runs and the others wait. */
    private static String tooBusy(RpcEngine engine, Configuration settings) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        List<EchoClient> clients = new ArrayList<>();
        try (EchoServer server = EchoServer.start(EchoServer.FAST, settings, 0, 1, null)) {
            for (int i = 0; i < 6; i++) {
                EchoClient client = EchoClient.connect(
                        engine,
                        server.address(),
                        settings,
                        org.apache.hadoop.security.UserGroupInformation.createRemoteUser("user" + i),
                        0);
                client.echo("so that there is a connection");
                clients.add(client);
            }
            List<Future<String>> waiting = new ArrayList<>();
            waiting.add(threads.submit(() -> clients.get(0).echo(Echo.WAIT)));
            server.service.waiting.await();
            for (int i = 1; i < clients.size(); i++) {
                EchoClient client = clients.get(i);
                int before = server.hadoop().getCallQueueLen();
                Future<String> next = threads.submit(() -> client.echo("queued"));
                Await.until(
                        "a place or a refusal",
                        () -> next.isDone() || server.hadoop().getCallQueueLen() > before);
                if (next.isDone()) {
                    RemoteException refused = Objects.requireNonNull(
                            (RemoteException) catchThrowableOfType(ExecutionException.class, next::get)
                                    .getCause());
                    server.service.mayGoOn.countDown();
                    for (Future<String> queued : waiting) {
                        assertThat(queued.get()).isNotEmpty();
                    }
                    return i + " " + refused.getClassName() + " "
                            + String.valueOf(refused.getMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse("");
                }
                waiting.add(next);
            }
            throw new AssertionError("no call was refused");
        } finally {
            clients.forEach(EchoClient::close);
            threads.shutdownNow();
        }
    }
}
