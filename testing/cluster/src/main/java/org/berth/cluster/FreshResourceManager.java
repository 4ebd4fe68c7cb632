package org.berth.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/** Hadoop's ResourceManager on ports that are free; writes their addresses, as settings, into a file. */
final class FreshResourceManager {
    private FreshResourceManager() {}

    public static void main(String[] arguments) {
        Starts.orEnd(() -> {
            ResourceManager manager = new ResourceManager();
            manager.init(new YarnConfiguration());
            manager.start();
            tell(manager.getConfig(), Path.of(arguments[0]));
        });
    }

    private static void tell(Configuration settings, Path file) throws IOException {
        Configuration addresses = new Configuration(false);
        for (String key : List.of(
                YarnConfiguration.RM_ADDRESS,
                YarnConfiguration.RM_SCHEDULER_ADDRESS,
                YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS)) {
            addresses.set(key, settings.get(key));
        }
        Path unfinished = file.resolveSibling("addresses.new");
        try (OutputStream out = Files.newOutputStream(unfinished)) {
            addresses.writeXml(out);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
