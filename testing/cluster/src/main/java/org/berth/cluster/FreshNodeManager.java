package org.berth.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;

/** Hadoop's NodeManager; makes a file when the ResourceManager knows it. */
final class FreshNodeManager {
    private FreshNodeManager() {}

    public static void main(String[] arguments) {
        Starts.orEnd(() -> {
            NodeManager manager = new NodeManager();
            manager.init(new YarnConfiguration());
            manager.start();
            Files.createFile(Path.of(arguments[0]));
        });
    }
}
