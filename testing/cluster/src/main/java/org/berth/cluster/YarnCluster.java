package org.berth.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * A real ResourceManager and one NodeManager at a time on loopback, each a process with the class path of this one, in a
 * folder of their own. Files are local ones. Belongs to one thread.
 */
public final class YarnCluster implements AutoCloseable {
    private static final String QUEUE = "yarn.scheduler.capacity.";

    private final Path folder;
    private final List<String> jvmOptions;
    private final Configuration settings = new Configuration(false);
    private final int nodeManagerPort;
    private final Daemon resourceManager;
    private Optional<Daemon> nodeManager = Optional.empty();
    private int starts;

    private YarnCluster(Path folder, List<String> jvmOptions, Map<String, String> more) throws IOException {
        this.folder = folder;
        this.jvmOptions = List.copyOf(jvmOptions);
        // A NodeManager that is to find its containers again must come back to its address.
        nodeManagerPort = QuietPort.find();
        ordinary();
        more.forEach(settings::set);
        Path addresses = folder.resolve("addresses.xml");
        resourceManager = start(
                "resourcemanager", Map.of(), List.of(), FreshResourceManager.class.getName(), addresses.toString());
        await("the ResourceManager's addresses", () -> Files.exists(addresses));
        Configuration found = new Configuration(false);
        found.addResource(addresses.toUri().toURL());
        found.forEach(entry -> settings.set(entry.getKey(), entry.getValue()));
    }

    /** What loopback, small machines and impatient people need. */
    private void ordinary() {
        settings.set("fs.defaultFS", "file:///");
        settings.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
        for (String address : List.of(
                "resourcemanager.address",
                "resourcemanager.scheduler.address",
                "resourcemanager.resource-tracker.address",
                "resourcemanager.admin.address",
                "resourcemanager.webapp.address",
                "nodemanager.localizer.address",
                "nodemanager.webapp.address")) {
            settings.set("yarn." + address, "127.0.0.1:0");
        }
        settings.set("yarn.nodemanager.address", "127.0.0.1:" + nodeManagerPort);
        settings.set("yarn.nodemanager.local-dirs", folder.resolve("local").toString());
        settings.set("yarn.nodemanager.log-dirs", folder.resolve("logs").toString());
        settings.set("yarn.nodemanager.disk-health-checker.enable", "false");
        settings.set("yarn.nodemanager.pmem-check-enabled", "false");
        settings.set("yarn.nodemanager.vmem-check-enabled", "false");
        settings.set("yarn.nodemanager.resource.memory-mb", "8192");
        settings.set("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "100");
        settings.set("yarn.scheduler.minimum-allocation-mb", "64");
    }

    /**
     * Returns when the NodeManager takes containers.
     *
     * @param folder empty; the daemons' files and logs go there
     * @param jvmOptions of both daemons
     * @param settings of both daemons and clients, above those that loopback needs
     * @param nodeManagerSettings of the NodeManager alone
     * @throws IllegalStateException when a daemon ends or does not come up
     */
    public static YarnCluster start(
            Path folder, List<String> jvmOptions, Map<String, String> settings, Map<String, String> nodeManagerSettings)
            throws IOException {
        YarnCluster cluster = new YarnCluster(folder, jvmOptions, settings);
        try {
            cluster.startNodeManager(nodeManagerSettings);
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /**
     * Starts a NodeManager at the address of the one before, which has ended.
     *
     * @param more settings of it alone
     * @param moreJvmOptions of it alone
     * @return what its log is called
     * @throws IllegalStateException when it does not come up
     */
    public String startNodeManager(Map<String, String> more, String... moreJvmOptions) throws IOException {
        String name = "nodemanager" + starts++;
        Path registered = folder.resolve(name + ".up");
        nodeManager = Optional.of(
                start(name, more, List.of(moreJvmOptions), FreshNodeManager.class.getName(), registered.toString()));
        try (YarnClient client = connect()) {
            await("a NodeManager", () -> Files.exists(registered) && running(client) == 1);
        }
        return name;
    }

    private Daemon start(String name, Map<String, String> more, List<String> moreJvmOptions, String... words)
            throws IOException {
        Path conf = Files.createDirectories(folder.resolve(name + "-conf"));
        Configuration all = new Configuration(settings);
        more.forEach(all::set);
        write(all, conf.resolve("yarn-site.xml"));
        write(all, conf.resolve("core-site.xml"));
        // MapReduce's own defaults are read after the files above, such as the port of its shuffle.
        write(all, conf.resolve("mapred-site.xml"));
        Configuration queues = new Configuration(false);
        queues.set(QUEUE + "root.queues", "default");
        queues.set(QUEUE + "root.default.capacity", "100");
        queues.set(QUEUE + "maximum-am-resource-percent", "1.0");
        queues.set(QUEUE + "resource-calculator", "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator");
        write(queues, conf.resolve("capacity-scheduler.xml"));
        List<String> options = new ArrayList<>(jvmOptions);
        if (VersionInfo.getVersion().startsWith("3.4.")) {
            // The web pages of both daemons are made by reflection, which JDK 17 refuses.
            options.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
        }
        options.addAll(moreJvmOptions);
        return Daemon.start(name, log(name), conf, options, List.of(words));
    }

    private static void write(Configuration settings, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            settings.writeXml(out);
        }
    }

    /** Settings of a client. */
    public Configuration client() {
        Configuration client = new YarnConfiguration();
        settings.forEach(entry -> client.set(entry.getKey(), entry.getValue()));
        return client;
    }

    /** A client of its own, started. */
    public YarnClient connect() {
        YarnClient client = YarnClient.createYarnClient();
        client.init(client());
        client.start();
        return client;
    }

    /**
     * The process of the present NodeManager.
     *
     * @throws java.util.NoSuchElementException before there is one
     */
    public ProcessHandle nodeManager() {
        return nodeManager.orElseThrow().process().toHandle();
    }

    /** Kills the present NodeManager (SIGKILL) and waits for its end; its containers live on. */
    public void killNodeManager() {
        nodeManager.orElseThrow().kill();
    }

    /** What a daemon ("resourcemanager", "nodemanager0") printed. */
    public Path log(String daemon) {
        return folder.resolve(daemon + ".log");
    }

    private static int running(YarnClient client) {
        try {
            return client.getNodeReports(NodeState.RUNNING).size();
        } catch (YarnException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void await(String what, BooleanSupplier condition) {
        try {
            Daemon.await(what, daemons(), condition);
        } catch (IllegalStateException e) {
            close();
            throw e;
        }
    }

    private List<Daemon> daemons() {
        return Stream.concat(Stream.of(resourceManager), nodeManager.stream()).toList();
    }

    /** Kills both daemons and waits for their end; containers that run, and the files, stay. */
    @Override
    public void close() {
        daemons().forEach(Daemon::kill);
    }
}
