package org.berth.calls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;

/**
 * One call with its content, to be repeated: a message of protobuf with a field of bytes, as all protocols of HDFS and YARN have.
 * Belongs to one thread.
 */
record Echo(BytesEcho proxy, BytesValue message) {
    /** The protocol as it stands in Hadoop's settings. */
    static final String PROTOCOL = BytesEcho.class.getName();

    /** Names the engine of the protocol, once for each configuration. */
    static void configure(Configuration settings, boolean isFast) {
        if (isFast) {
            settings.set("rpc.engine." + PROTOCOL, "org.berth.rpc.FastProtobufRpcEngine");
        } else {
            RPC.setProtocolEngine(settings, BytesEcho.class, ProtobufRpcEngine2.class);
        }
    }

    /** A server on a free port of the loopback, which listens once it is started. */
    static RPC.Server server(Configuration settings, int handlers) throws IOException {
        return new RPC.Builder(settings)
                .setProtocol(BytesEcho.class)
                .setInstance(new BytesEcho.Service())
                .setBindAddress("127.0.0.1")
                .setPort(0)
                .setNumHandlers(handlers)
                .build();
    }

    /** A proxy of that user; users have connections of their own. */
    static BytesEcho proxy(Configuration settings, int port, UserGroupInformation user) throws IOException {
        return RPC.getProxy(
                BytesEcho.class,
                1,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                user,
                settings,
                NetUtils.getDefaultSocketFactory(settings));
    }

    /** A call with this content through a proxy. */
    static Echo of(BytesEcho proxy, byte[] content) {
        return new Echo(proxy, BytesValue.of(UnsafeByteOperations.unsafeWrap(content)));
    }

    /** Calls, and returns the size of the answer. */
    int call() throws ServiceException {
        return proxy.echo(null, message).getValue().size();
    }

    /** Calls, and returns whether the answer has the bytes of the request. */
    boolean echoes() throws ServiceException {
        return proxy.echo(null, message).equals(message);
    }
}
