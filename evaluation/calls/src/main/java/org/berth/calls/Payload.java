package org.berth.calls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;

/** How the bytes of a call are packed, which decides the protocol. */
enum Payload {
    /** A message of protobuf with a field of bytes, as all protocols of HDFS and YARN have. */
    BYTES(BytesEcho.class, "org.berth.rpc.FastProtobufRpcEngine") {
        @Override
        Object service() {
            return new BytesEcho.Service();
        }

        @Override
        Caller caller(Object proxy, byte[] content) {
            BytesEcho echo = (BytesEcho) proxy;
            BytesValue message = BytesValue.of(UnsafeByteOperations.unsafeWrap(content));
            return new Caller() {
                @Override
                public int call() throws Exception {
                    return echo.echo(null, message).getValue().size();
                }

                @Override
                public boolean echoes() throws Exception {
                    return echo.echo(null, message).getValue().equals(ByteString.copyFrom(content));
                }
            };
        }
    },
    /** A BytesWritable, as the benchmark of the Ohio State University has. */
    WRITABLE(WritableEcho.class, "org.berth.rpc.FastWritableRpcEngine") {
        @Override
        Object service() {
            return new WritableEcho.Service();
        }

        @Override
        Caller caller(Object proxy, byte[] content) {
            WritableEcho echo = (WritableEcho) proxy;
            BytesWritable message = new BytesWritable(content);
            return new Caller() {
                @Override
                public int call() throws Exception {
                    return echo.echo(message).getLength();
                }

                @Override
                public boolean echoes() throws Exception {
                    return echo.echo(message).equals(message);
                }
            };
        }
    };

    private final Class<?> protocol;
    private final String fastEngine;

    Payload(Class<?> protocol, String fastEngine) {
        this.protocol = protocol;
        this.fastEngine = fastEngine;
    }

    /** One call, to be repeated. Belongs to one thread. */
    interface Caller {
        /** Returns the size of the answer. */
        int call() throws Exception;

        /** Whether the answer has the bytes of the request. */
        boolean echoes() throws Exception;
    }

    /** The implementation for a server. */
    abstract Object service();

    /** A call with this content through a proxy. */
    abstract Caller caller(Object proxy, byte[] content);

    /** The protocol that stands in Hadoop's settings. */
    String protocolName() {
        return protocol.getName();
    }

    /** Names the engine of the protocol, once for each configuration. */
    void configure(Configuration settings, boolean isFast) {
        if (isFast) {
            settings.set("rpc.engine." + protocol.getName(), fastEngine);
        } else if (this == BYTES) {
            RPC.setProtocolEngine(settings, protocol, ProtobufRpcEngine2.class);
        }
    }

    /** A server on a free port of the loopback, which listens once it is started. */
    RPC.Server server(Configuration settings, int handlers) throws IOException {
        return new RPC.Builder(settings)
                .setProtocol(protocol)
                .setInstance(service())
                .setBindAddress("127.0.0.1")
                .setPort(0)
                .setNumHandlers(handlers)
                .build();
    }

    /** A proxy of that user; users have connections of their own. */
    Object proxy(Configuration settings, int port, UserGroupInformation user) throws IOException {
        return RPC.getProxy(
                protocol,
                1,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                user,
                settings,
                NetUtils.getDefaultSocketFactory(settings));
    }

    /** The word for it: the name in lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
