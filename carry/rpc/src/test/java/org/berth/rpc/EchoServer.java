package org.berth.rpc;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcEngine;
import org.apache.hadoop.ipc.TestRpcBase.TestRpcService;
import org.apache.hadoop.ipc.protobuf.TestRpcServiceProtos.TestProtobufRpcProto;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.SecretManager;
import org.berth.oracle.Await;
import org.jspecify.annotations.Nullable;

/** A server of {@link Echo} on the loopback, by one of two engines. */
final class EchoServer implements AutoCloseable {
    static final RpcEngine FAST = new FastProtobufRpcEngine();
    static final RpcEngine STOCK = new ProtobufRpcEngine2();

    final Echo service = new Echo();
    final Configuration settings;
    private final RPC.Server server;
    private final int portToLeave;

    private EchoServer(
            RpcEngine engine, Configuration settings, int port, int handlers, @Nullable SecretManager<?> secrets)
            throws IOException {
        this.settings = settings;
        this.portToLeave = port;
        this.server = engine.getServer(
                TestRpcService.class,
                TestProtobufRpcProto.newReflectiveBlockingService(service),
                "127.0.0.1",
                port,
                handlers,
                -1,
                -1,
                false,
                settings,
                secrets,
                null,
                null);
        server.start();
    }

    static EchoServer start(RpcEngine engine) throws IOException {
        return start(engine, new Configuration());
    }

    static EchoServer start(RpcEngine engine, Configuration settings) throws IOException {
        return new EchoServer(engine, settings, 0, 4, null);
    }

    /**
     * A port for a server that comes back at the same one. The kernel gives ports from 32768 on (ip_local_port_range) to every
     * connection that is opened meanwhile, so it is one below them.
     */
    static int portToComeBack() throws IOException {
        Random random = new Random();
        while (true) {
            int port = 10_000 + random.nextInt(20_000);
            if (isFree(port)) {
                return port;
            }
        }
    }

    static EchoServer start(
            RpcEngine engine, Configuration settings, int port, int handlers, @Nullable SecretManager<?> secrets)
            throws IOException {
        return new EchoServer(engine, settings, port, handlers, secrets);
    }

    RPC.Server hadoop() {
        return server;
    }

    InetSocketAddress address() {
        return NetUtils.getConnectAddress(server);
    }

    EchoClient client(RpcEngine engine) throws IOException {
        return EchoClient.connect(engine, address(), settings);
    }

    /** Ends the server; a named port is free then. Hadoop's listener may still hold its socket when stop() has returned. */
    @Override
    public void close() {
        service.mayGoOn.countDown();
        server.stop();
        if (portToLeave != 0) {
            Await.until("the server has left port " + portToLeave, () -> isFree(portToLeave));
        }
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket free = new ServerSocket(port)) {
            return free.isBound();
        } catch (BindException taken) {
            return false;
        }
    }
}
