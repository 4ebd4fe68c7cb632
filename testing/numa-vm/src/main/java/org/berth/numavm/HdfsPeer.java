package org.berth.numavm;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * A NameNode and a DataNode in one JVM, or a client of them: {@code daemons}, or {@code client PORT BYTES}, which writes a file of
 * that size and reads it as lines of standard input say. All addresses are that of the NIC, since RDMA has none on loopback.
 */
public final class HdfsPeer {
    private HdfsPeer() {}

    /** Ends with its standard input. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("daemons")) {
            daemons();
        } else {
            client(arguments[1], Integer.parseInt(arguments[2]));
        }
        System.exit(0);
    }

    private static Configuration settings(String port) {
        Configuration settings = new HdfsConfiguration();
        settings.set("fs.defaultFS", "hdfs://" + SoftRdma.ADDRESS + ":" + port);
        settings.set("fs.hdfs.impl", "org.apache.hadoop.hdfs.DistributedFileSystem");
        settings.set("hadoop.security.group.mapping", "org.apache.hadoop.security.NullGroupsMapping");
        settings.set("dfs.replication", "1");
        settings.set("dfs.permissions.enabled", "false");
        // Else the DataNode sends files by sendfile64(2), which librspreload does not know.
        settings.set("dfs.datanode.transferTo.allowed", "false");
        settings.set("dfs.client.socket-timeout", "300000");
        settings.set("ipc.client.rpc-timeout.ms", "300000");
        return settings;
    }

    private static void daemons() throws Exception {
        Path folder = Files.createTempDirectory("hdfs");
        Configuration settings = settings("0");
        settings.set("dfs.namenode.name.dir", "file://" + folder + "/name");
        settings.set("dfs.namenode.http-address", SoftRdma.ADDRESS + ":0");
        settings.set("dfs.namenode.safemode.extension", "0");
        settings.set("dfs.namenode.datanode.registration.ip-hostname-check", "false");
        settings.set("dfs.datanode.data.dir", "file://" + folder + "/data");
        settings.set("dfs.datanode.address", SoftRdma.ADDRESS + ":0");
        settings.set("dfs.datanode.http.address", SoftRdma.ADDRESS + ":0");
        settings.set("dfs.datanode.ipc.address", SoftRdma.ADDRESS + ":0");
        settings.set("dfs.heartbeat.interval", "1");
        DefaultMetricsSystem.setMiniClusterMode(true);
        NameNode.format(settings);
        NameNode nameNode = NameNode.createNameNode(new String[0], settings);
        System.out.println("the NameNode is up");
        String port = Integer.toString(nameNode.getNameNodeAddress().getPort());
        settings.set("fs.defaultFS", "hdfs://" + SoftRdma.ADDRESS + ":" + port);
        settings.set("dfs.namenode.rpc-address", SoftRdma.ADDRESS + ":" + port);
        DataNode dataNode = DataNode.createDataNode(new String[0], settings);
        System.out.println("the DataNode is up");
        while (!dataNode.isDatanodeFullyStarted() || nameNode.getNamesystem().getCapacityTotal() == 0) {
            Thread.sleep(100);
        }
        System.out.println("listens " + port);
        while (System.in.read() >= 0) {
            // Until the other end closes it.
        }
    }

    private static void client(String port, int bytes) throws Exception {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/file");
        try (FileSystem files = FileSystem.newInstance(settings(port));
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals("write")) {
                    try (FSDataOutputStream file = files.create(path, true)) {
                        file.write(content);
                    }
                    System.out.println("written " + files.getFileStatus(path).getLen());
                } else {
                    byte[] back = new byte[bytes];
                    try (FSDataInputStream file = files.open(path)) {
                        file.readFully(0, back);
                    }
                    System.out.println(Arrays.equals(content, back) ? "same" : "other bytes came back");
                }
            }
        }
    }
}
