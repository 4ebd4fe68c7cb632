package org.berth.rpc;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.retry.RetryPolicy;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.BerthWritableInvoker;
import org.apache.hadoop.ipc.BerthWritableServer;
import org.apache.hadoop.ipc.ProtocolProxy;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcInvocationHandler;
import org.apache.hadoop.ipc.WritableRpcEngine;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.jspecify.annotations.Nullable;

/** Hadoop's engine for protocols of Writables, with the transport. */
@SuppressWarnings("deprecation") // Hadoop's own mark on this kind of protocol.
public final class FastWritableRpcEngine extends WritableRpcEngine {
    /** As Hadoop loads it. */
    public FastWritableRpcEngine() {}

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
        T hadoop = super.getProxy(
                        protocol,
                        clientVersion,
                        address,
                        user,
                        configuration,
                        factory,
                        rpcTimeout,
                        connectionRetryPolicy,
                        fallbackToSimpleAuth,
                        alignment)
                .getProxy();
        BerthWritableInvoker invoker = new BerthWritableInvoker(
                (RpcInvocationHandler) Proxy.getInvocationHandler(hadoop),
                configuration,
                fallbackToSimpleAuth,
                alignment);
        Object proxy = Proxy.newProxyInstance(protocol.getClassLoader(), new Class<?>[] {protocol}, invoker);
        return new ProtocolProxy<>(protocol, protocol.cast(proxy), true);
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
        return new BerthWritableServer(
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
