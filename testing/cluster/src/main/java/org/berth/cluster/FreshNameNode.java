package org.berth.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** Hadoop's NameNode over new empty folders, in one JVM start instead of two; writes the port that it got into a file. */
final class FreshNameNode {
    private FreshNameNode() {}

    public static void main(String[] arguments) {
        Starts.orEnd(() -> run(Path.of(arguments[0])));
    }

    private static void run(Path port) throws Exception {
        Configuration settings = new HdfsConfiguration();
        // Formatting registers metrics that the NameNode then registers once more.
        DefaultMetricsSystem.setMiniClusterMode(true);
        NameNode.format(settings);
        NameNode node = NameNode.createNameNode(new String[0], settings);
        Path unfinished = port.resolveSibling("port.new");
        Files.writeString(unfinished, Integer.toString(node.getNameNodeAddress().getPort()));
        Files.move(unfinished, port, StandardCopyOption.ATOMIC_MOVE);
        node.join();
    }
}
