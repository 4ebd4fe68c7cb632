package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcEngine;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.VersionedProtocol;
import org.apache.hadoop.ipc.WritableRpcEngine;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protocols of Writables, by both engines at both sides. */
@SuppressWarnings("deprecation") // Hadoop's own mark on this kind of protocol.
class WritableTest {
    private static final RpcEngine FAST = new FastWritableRpcEngine();
    private static final RpcEngine STOCK = new WritableRpcEngine();

    /** A protocol as Hadoop's were before protobuf. */
    public interface Bytes extends VersionedProtocol {
        long versionID = 1;

        BytesWritable echo(BytesWritable bytes) throws IOException;

        Text way() throws IOException;

        void fail(Text why) throws IOException;
    }

    /** Its server. */
    public static final class BytesServer implements Bytes {
        @Override
        public BytesWritable echo(BytesWritable bytes) {
            return bytes;
        }

        @Override
        public Text way() {
            return new Text(Server.getCurCall().get().getClass().getSimpleName());
        }

        @Override
        public void fail(Text why) throws IOException {
            throw new FileNotFoundException(why.toString());
        }

        @Override
        public long getProtocolVersion(String protocol, long clientVersion) {
            return versionID;
        }

        @Override
        public ProtocolSignature getProtocolSignature(String protocol, long clientVersion, int methods) {
            return new ProtocolSignature(versionID, new int[0]);
        }
    }

    @ParameterizedTest
    @CsvSource({"true,true,BerthCall", "true,false,RpcCall", "false,true,RpcCall"})
    void bytesTravel(boolean fastServer, boolean fastClient, String way) throws IOException {
        Configuration settings = new Configuration();
        RPC.Server server = (fastServer ? FAST : STOCK)
                .getServer(
                        Bytes.class, new BytesServer(), "127.0.0.1", 0, 2, -1, -1, false, settings, null, null, null);
        server.start();
        Bytes proxy = (fastClient ? FAST : STOCK)
                .getProxy(
                        Bytes.class,
                        Bytes.versionID,
                        NetUtils.getConnectAddress(server),
                        UserGroupInformation.getCurrentUser(),
                        settings,
                        NetUtils.getDefaultSocketFactory(settings),
                        0,
                        null,
                        null,
                        null)
                .getProxy();
        try {
            assertThat(proxy.way()).hasToString(way);
            // Of a megabyte and more, Hadoop's server logs every byte.
            byte[] bytes = new byte[512 << 10];
            bytes[4711] = 42;
            assertThat(proxy.echo(new BytesWritable(bytes)).copyBytes()).isEqualTo(bytes);
            RemoteException failure =
                    catchThrowableOfType(RemoteException.class, () -> proxy.fail(new Text("no such thing")));
            assertThat(failure.unwrapRemoteException()).isInstanceOf(FileNotFoundException.class);
        } finally {
            RPC.stopProxy(proxy);
            server.stop();
        }
    }
}
