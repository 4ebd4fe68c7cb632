package org.berth.rpc;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcEngine;
import org.apache.hadoop.ipc.TestRpcBase.TestRpcService;
import org.apache.hadoop.ipc.protobuf.TestProtos.EchoRequestProto;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** A proxy of the service, by one of two engines. */
final class EchoClient implements AutoCloseable {
    private final TestRpcService proxy;

    private EchoClient(TestRpcService proxy) {
        this.proxy = proxy;
    }

    static EchoClient connect(RpcEngine engine, InetSocketAddress to, Configuration settings) throws IOException {
        return connect(engine, to, settings, UserGroupInformation.getCurrentUser(), 0);
    }

    static EchoClient connect(
            RpcEngine engine,
            InetSocketAddress to,
            Configuration settings,
            UserGroupInformation user,
            int timeoutMillis)
            throws IOException {
        return new EchoClient(engine.getProxy(
                        TestRpcService.class,
                        0,
                        to,
                        user,
                        settings,
                        NetUtils.getDefaultSocketFactory(settings),
                        timeoutMillis,
                        null,
                        null,
                        null)
                .getProxy());
    }

    TestRpcService hadoop() {
        return proxy;
    }

    /** Throws what a user of the protocol unwraps. */
    String echo(String text) throws IOException {
        try {
            return proxy.echo(
                            null, EchoRequestProto.newBuilder().setMessage(text).build())
                    .getMessage();
        } catch (ServiceException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IOException(e);
        }
    }

    /** What the server sees of a call, by name. */
    Map<String, String> facts() throws IOException {
        Map<String, String> facts = new TreeMap<>();
        for (String line : echo(Echo.FACTS).split("\n", -1)) {
            int blank = line.indexOf(' ');
            facts.put(line.substring(0, blank), line.substring(blank + 1));
        }
        return facts;
    }

    /** How the server got the call: BerthCall or RpcCall. */
    String way() throws IOException {
        return Objects.requireNonNull(facts().get("way"));
    }

    @Override
    public void close() {
        RPC.stopProxy(proxy);
    }
}
