package org.berth.rpc;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.retry.RetryPolicy;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.BerthInvoker;
import org.apache.hadoop.ipc.BerthServer;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtocolProxy;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's engine for protobuf protocols, with the transport: {@code rpc.engine.PROTOCOL} in core-site.xml names it. Hadoop
 * creates one for each protocol.
 */
public final class FastProtobufRpcEngine extends ProtobufRpcEngine2 {
    /** As Hadoop loads it. */
    public FastProtobufRpcEngine() {}

    @Override
    public <T> ProtocolProxy<T> getProxy(
            Class<T> protocol,
            long clientVersion,
            ConnectionId id,
            Configuration configuration,
            SocketFactory factory,
            @Nullable AlignmentContext alignment)
            throws IOException {
        return proxy(protocol, new BerthInvoker(protocol, id, configuration, factory, alignment));
    }

    @Override
    public <T> ProtocolProxy<T> getProxy(
            Class<T> protocol,
            long clientVersion,
            InetSocketAddress address,
            UserGroupInformation user,
            Configuration configuration,
            SocketFactory factory,
            int rpcTimeout,
            @Nullable RetryPolicy connectionRetryPolicy,
            @Nullable AtomicBoolean fallbackToSimpleAuth,
            @Nullable AlignmentContext alignment)
            throws IOException {
        return proxy(
                protocol,
                new BerthInvoker(
                        protocol,
                        address,
                        user,
                        configuration,
                        factory,
                        rpcTimeout,
                        connectionRetryPolicy,
                        fallbackToSimpleAuth,
                        alignment));
    }

    private static <T> ProtocolProxy<T> proxy(Class<T> protocol, InvocationHandler invoker) {
        Object proxy = Proxy.newProxyInstance(protocol.getClassLoader(), new Class<?>[] {protocol}, invoker);
        return new ProtocolProxy<>(protocol, protocol.cast(proxy), false);
    }

    @Override
    public RPC.Server getServer(
            Class<?> protocol,
            Object implementation,
            String bindAddress,
            int port,
            int handlers,
            int readers,
            int queueSizePerHandler,
            boolean verbose,
            Configuration configuration,
            @Nullable SecretManager<? extends TokenIdentifier> secretManager,
            @Nullable String portRange,
            @Nullable AlignmentContext alignment)
            throws IOException {
        return new BerthServer(
                protocol,
                implementation,
                configuration,
                bindAddress,
                port,
                handlers,
                readers,
                queueSizePerHandler,
                verbose,
                secretManager,
                portRange,
                alignment);
    }
}
