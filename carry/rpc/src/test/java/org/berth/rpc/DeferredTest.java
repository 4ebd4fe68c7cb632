package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcEngine;
import org.berth.oracle.Await;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls that another thread answers after their handler has left them (registerForDeferredResponse2), on both ways. */
class DeferredTest {
    private static RpcEngine engine(boolean isFast) {
        return isFast ? EchoServer.FAST : EchoServer.STOCK;
    }

    /** One handler serves all of them, and the answers come in the reverse order. */
    @ParameterizedTest
    @CsvSource({"true,BerthCall", "false,RpcCall"})
    void answersFindTheirCallers(boolean isFast, String way) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (EchoServer server = EchoServer.start(EchoServer.FAST, new Configuration(), 0, 1, null);
                EchoClient client = server.client(engine(isFast))) {
            assertThat(client.way()).isEqualTo(way);
            List<Future<String>> callers = new ArrayList<>();
            List<Echo.Deferred> deferred = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                callers.add(threads.submit(() -> client.echo(Echo.DEFER)));
                deferred.add(server.service.later.take());
                assertThat(deferred.get(i).way()).isEqualTo(way);
            }
            for (int i = deferred.size() - 1; i >= 0; i--) {
                assertThat(callers.get(i).isDone()).isFalse();
                deferred.get(i).answer("answer " + i);
                assertThat(callers.get(i).get()).isEqualTo("answer " + i);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @CsvSource({"true,BerthCall", "false,RpcCall"})
    void errorsFindTheirCallers(boolean isFast, String way) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoClient client = server.client(engine(isFast))) {
            assertThat(client.way()).isEqualTo(way);
            Future<String> caller = threads.submit(() -> client.echo(Echo.DEFER));
            server.service.later.take().call().error(new FileNotFoundException("no such file"));
            assertThatThrownBy(caller::get)
                    .cause()
                    .isInstanceOfSatisfying(
                            RemoteException.class,
                            failure -> assertThat(failure.unwrapRemoteException())
                                    .isInstanceOf(FileNotFoundException.class)
                                    .hasMessageContaining("no such file"));
            assertThat(client.way()).isEqualTo(way);
        } finally {
            threads.shutdownNow();
        }
    }

    /** A client that has gone costs its answer only. */
    @ParameterizedTest
    @CsvSource({"true,BerthCall", "false,RpcCall"})
    void answersOfClientsThatHaveGoneAreLeft(boolean isFast, String way) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoClient other = server.client(engine(isFast))) {
            Configuration settings = new Configuration();
            settings.setInt("ipc.client.rpc-timeout.ms", 300);
            Future<String> caller;
            try (EchoClient client = EchoClient.connect(
                    engine(isFast),
                    server.address(),
                    settings,
                    org.apache.hadoop.security.UserGroupInformation.createRemoteUser("leaves"),
                    300)) {
                caller = threads.submit(() -> client.echo(Echo.DEFER));
                Echo.Deferred deferred = server.service.later.take();
                Await.until("the end of the caller's patience", caller::isDone);
                deferred.answer("too late");
            }
            assertThat(catchThrowableOfType(ExecutionException.class, caller::get))
                    .hasCauseInstanceOf(java.net.SocketTimeoutException.class);
            assertThat(other.way()).isEqualTo(way);
        } finally {
            threads.shutdownNow();
        }
    }
}
