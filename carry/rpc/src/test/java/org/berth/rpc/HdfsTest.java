package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.berth.oracle.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A real NameNode and its DataNodes and clients, by configuration alone. */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HdfsTest {
    private final Configuration settings = new HdfsConfiguration();
    private MiniDFSCluster cluster;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        for (String protocol : new String[] {
            "org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB",
            "org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB"
        }) {
            settings.set("rpc.engine." + protocol, FastProtobufRpcEngine.class.getName());
        }
        settings.set("dfs.replication", "2");
        settings.set("dfs.heartbeat.interval", "1");
        cluster = new MiniDFSCluster.Builder(settings, folder.resolve("mini").toFile())
                .numDataNodes(2)
                .build();
        cluster.waitActive();
    }

    @AfterAll
    void stop() {
        if (cluster != null) {
            cluster.shutdown();
        }
    }

    @Test
    void filesAreMadeListedRenamedAndRemoved() throws IOException {
        long before = served();
        try (DistributedFileSystem files = connect()) {
            org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path("/folder/in/folder");
            assertThat(files.mkdirs(folder)).isTrue();
            org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(folder, "file");
            try (FSDataOutputStream out = files.create(file)) {
                out.write("what was written".getBytes(StandardCharsets.UTF_8));
            }
            assertThat(new String(files.open(file).readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("what was written");
            assertThat(Arrays.stream(files.listStatus(folder)).map(FileStatus::getPath))
                    .containsExactly(files.makeQualified(file));
            org.apache.hadoop.fs.Path other = new org.apache.hadoop.fs.Path(folder, "other");
            assertThat(files.rename(file, other)).isTrue();
            assertThatThrownBy(() -> files.getFileStatus(file)).isInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(() -> files.open(file)).isInstanceOf(FileNotFoundException.class);
            assertThat(unixSockets()).isPositive();
            assertThat(files.delete(folder, true)).isTrue();
            assertThat(files.exists(folder)).isFalse();
        }
        awaitServed(before + 10);
    }

    @Test
    void heartbeatsOfDataNodesComeByTheTransport() {
        long before = served();
        awaitServed(before + 4);
        assertThat(cluster.getNameNode().getNamesystem().getNumLiveDataNodes()).isEqualTo(2);
    }

    @Test
    void nameNodeAuditsTheClientsAddress() throws IOException {
        Map<String, String> lines = new ConcurrentHashMap<>();
        try (DistributedFileSystem files = connect();
                AuditLog log = AuditLog.listen(lines)) {
            files.mkdirs(new org.apache.hadoop.fs.Path("/audited"));
            assertThat(log.isListening()).isTrue();
            // With its asynchronous edit log the NameNode may answer before it audits.
            Await.untilAsserted(
                    "the audit of the call",
                    () -> assertThat(lines.values())
                            .anyMatch(line -> line.contains("ip=/127.0.0.1")
                                    && line.contains("cmd=mkdirs")
                                    && line.contains("src=/audited")
                                    && line.contains("proto=rpc")));
        }
    }

    @Test
    void clientsGoOnAfterANameNodeThatRestarts() throws IOException {
        try (DistributedFileSystem files = connect()) {
            org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path("/before");
            files.mkdirs(folder);
            cluster.restartNameNode();
            assertThat(files.exists(folder)).isTrue();
            long before = served();
            files.mkdirs(new org.apache.hadoop.fs.Path("/after"));
            awaitServed(before + 1);
        }
    }

    private static long served() {
        return counters().getOrDefault("CallsServed", 0L);
    }

    /** JMX shows what was counted a second ago. */
    private static void awaitServed(long calls) {
        Await.until("CallsServed of at least " + calls, () -> served() >= calls);
    }

    private DistributedFileSystem connect() throws IOException {
        return (DistributedFileSystem) FileSystem.newInstance(cluster.getURI(), settings);
    }

    /** Those of the transport that the kernel has connected (state 3). */
    private static int unixSockets() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/net/unix"))) {
            return (int) lines.filter(line -> line.matches(".* 03 +\\d+ .*/berth-transport.*"))
                    .count();
        }
    }

    /** The counters that this JVM's JMX shows. */
    static Map<String, Long> counters() {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        Map<String, Long> counters = new HashMap<>();
        try {
            for (ObjectName name : beans.queryNames(new ObjectName("Hadoop:service=*,name=BerthRpc*"), null)) {
                for (var attribute : beans.getMBeanInfo(name).getAttributes()) {
                    if (beans.getAttribute(name, attribute.getName()) instanceof Number number) {
                        counters.put(attribute.getName(), number.longValue());
                    }
                }
            }
        } catch (JMException e) {
            throw new AssertionError(e);
        }
        return counters;
    }
}
