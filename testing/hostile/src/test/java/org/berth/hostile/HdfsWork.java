package org.berth.hostile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.berth.oracle.Await;

/** A NameNode whose RPC goes over the transport, and two DataNodes. */
final class HdfsWork implements AutoCloseable {
    private final MiniDFSCluster cluster;
    private final Ports ports;

    HdfsWork(Path folder, Ports ports) throws IOException {
        this.ports = ports;
        Configuration settings = new HdfsConfiguration();
        for (String protocol : new String[] {"ClientNamenodeProtocolPB", "DatanodeProtocolPB"}) {
            settings.set(
                    "rpc.engine.org.apache.hadoop.hdfs.protocolPB." + protocol, "org.berth.rpc.FastProtobufRpcEngine");
        }
        settings.set("dfs.replication", "2");
        cluster = new MiniDFSCluster.Builder(settings, folder.toFile())
                .numDataNodes(2)
                .build();
        cluster.waitActive();
        attack();
    }

    private void attack() {
        Set<Integer> all = new TreeSet<>(Await.until(
                "the NameNode listens with the transport",
                () -> TransportPorts.of(ProcessHandle.current().pid()),
                found -> !found.isEmpty()));
        all.add(cluster.getNameNodePort());
        ports.replace("hdfs", all);
    }

    private DistributedFileSystem connect() throws IOException {
        return (DistributedFileSystem) DistributedFileSystem.newInstance(cluster.getURI(), cluster.getConfiguration(0));
    }

    /** Files whose bytes are read back by another client, which checks HDFS's checksums, too. */
    Work files(long seed) {
        return new Files(seed);
    }

    /** Calls of the NameNode whose answers are known. */
    Work calls(long seed) throws IOException {
        return new Calls(seed);
    }

    /** A call whose answer the NameNode has at hand. */
    Victim victim() throws IOException {
        return new Asked();
    }

    @Override
    public void close() {
        ports.replace("hdfs");
        cluster.shutdown(true);
    }

    private final class Files implements Work {
        private final Random random;

        Files(long seed) {
            this.random = new Random(seed);
        }

        @Override
        public void once(Row row) throws Exception {
            org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/files/" + random.nextInt(100));
            byte[] bytes = new byte[random.nextInt(8 << 20)];
            random.nextBytes(bytes);
            try (DistributedFileSystem to = connect();
                    FSDataOutputStream out = to.create(file, true)) {
                out.write(bytes);
            }
            try (DistributedFileSystem from = connect()) {
                if (!Arrays.equals(from.open(file).readAllBytes(), bytes)) {
                    row.wrong("other bytes in " + file);
                }
                if (from.getFileChecksum(file) == null
                        || from.getFileStatus(file).getLen() != bytes.length) {
                    row.wrong("another length of " + file);
                }
                from.delete(file, false);
            }
        }

        @Override
        public void close() {
            // The cluster is closed by its owner.
        }
    }

    private final class Calls implements Work {
        private final Random random;
        private final DistributedFileSystem client;

        Calls(long seed) throws IOException {
            this.random = new Random(seed);
            this.client = connect();
        }

        @Override
        public void once(Row row) throws Exception {
            org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path("/calls/" + random.nextLong());
            Set<String> made = new TreeSet<>();
            for (int i = 0; i < 20; i++) {
                String name = "d" + random.nextInt(1000);
                client.mkdirs(new org.apache.hadoop.fs.Path(folder, name));
                made.add(name);
            }
            Set<String> listed = new TreeSet<>();
            for (FileStatus one : client.listStatus(folder)) {
                listed.add(one.getPath().getName());
            }
            if (!listed.equals(made)) {
                row.wrong("listed " + listed + " where " + made + " were made");
            }
            if (!client.delete(folder, true) || client.exists(folder)) {
                row.wrong(folder + " is still there");
            }
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }

    private final class Asked implements Victim {
        private final DistributedFileSystem client = connect();

        private Asked() throws IOException {}

        @Override
        public String name() {
            return "getFileStatus of a NameNode";
        }

        @Override
        public void ask() throws IOException {
            if (!client.getFileStatus(new org.apache.hadoop.fs.Path("/")).isDirectory()) {
                throw new IOException("the root is no directory");
            }
        }

        @Override
        public long pauseMillis() {
            return 5;
        }

        @Override
        public void attack() {
            HdfsWork.this.attack();
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }
}
