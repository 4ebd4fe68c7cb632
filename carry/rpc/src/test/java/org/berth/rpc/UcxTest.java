package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.rpc.link.Leases;
import org.berth.transport.ProviderStatus;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode, a DataNode and a client over UCX's shared memory, in a JVM of their own: a process has one choice of providers. */
@Tag("cluster")
@Tag("one-jdk")
class UcxTest {
    private static final int FOLDERS = 1500;

    /** The other process. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) throws Exception {
            Configuration settings = new HdfsConfiguration();
            settings.set("berth.rpc.providers", "ucx");
            for (String protocol : new String[] {"ClientNamenodeProtocolPB", "DatanodeProtocolPB"}) {
                settings.set(
                        "rpc.engine.org.apache.hadoop.hdfs.protocolPB." + protocol,
                        FastProtobufRpcEngine.class.getName());
            }
            settings.set("dfs.heartbeat.interval", "1");
            MiniDFSCluster cluster =
                    new MiniDFSCluster.Builder(settings, Path.of(arguments[0]).toFile()).build();
            cluster.waitActive();
            try (FileSystem files = FileSystem.newInstance(cluster.getURI(), settings)) {
                for (int i = 0; i < FOLDERS; i++) {
                    files.mkdirs(new org.apache.hadoop.fs.Path("/folders/" + "x".repeat(100) + i));
                }
                // One answer of a few hundred kilobytes: more than UCX sends eagerly.
                System.out.println("listed " + files.listStatus(new org.apache.hadoop.fs.Path("/folders")).length);
                byte[] bytes = new byte[3 << 20];
                new Random(1).nextBytes(bytes);
                org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/file");
                try (var out = files.create(file)) {
                    out.write(bytes);
                }
                try (var in = files.open(file)) {
                    System.out.println("equal " + Arrays.equals(in.readAllBytes(), bytes));
                }
                cluster.restartNameNode();
                System.out.println("exists " + files.exists(file));
            }
            System.out.println("served " + (HdfsTest.counters().getOrDefault("CallsServed", 0L) > FOLDERS));
            System.in.read();
            cluster.shutdown();
            Leases.awaitNone();
            System.out.println("leased " + Leases.count());
            System.exit(0);
        }
    }

    @Test
    void filesAreMadeAndReadOverSharedMemory(@TempDir Path folder) throws Exception {
        ProviderStatus.ofHost().stream()
                .filter(provider -> provider.name().equals("ucx") && !provider.works())
                .forEach(provider -> Assumptions.abort(provider.detail()));
        try (Child child = ChildJvm.of(Main.class, folder.toString())
                .with("-XX:TieredStopAtLevel=1")
                .start()) {
            assertThat(child.readUntil("listed ")).isEqualTo("listed " + FOLDERS);
            assertThat(child.readUntil("equal ")).isEqualTo("equal true");
            assertThat(child.readUntil("exists ")).isEqualTo("exists true");
            assertThat(child.readUntil("served ")).isEqualTo("served true");
            assertThat(Files.readString(Path.of("/proc/" + child.pid() + "/maps")))
                    .contains("libucp.so")
                    .contains("ucx_shm_posix");
            child.send("");
            assertThat(child.readUntil("leased ")).isEqualTo("leased 0");
            assertThat(child.errors())
                    .contains("goes over the transport (ucx)")
                    .doesNotContain("goes over the transport (tcp)")
                    .doesNotContain("goes over Hadoop's own connection");
        }
    }
}
