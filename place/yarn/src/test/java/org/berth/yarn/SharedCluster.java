package org.berth.yarn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.berth.cluster.YarnCluster;
import org.berth.oracle.Await;
import org.berth.oracle.Processes;

/**
 * A ResourceManager for all tests of this JVM, and one NodeManager at a time: a test says which settings it needs, and gets
 * the present NodeManager when it has these, or a new one. So each test runs alone, and in any order.
 */
final class SharedCluster implements AutoCloseable {
    /** Twice as many as this machine has logical CPUs, and more: over-committed. */
    static final int VCORES = 2 * Math.max(4, Runtime.getRuntime().availableProcessors());

    private static final List<String> JVM = List.of("-Xmx192m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Path folder;
    private final Ledger ledger;
    private final YarnCluster cluster;
    private final YarnClient client;
    private String name = "nodemanager0";
    /** What the present NodeManager has in addition to the ordinary settings. */
    private Map<String, String> present = Map.of();

    private SharedCluster(Path folder) throws IOException {
        this.folder = folder;
        ledger = new Ledger(folder.resolve("leases"));
        cluster = YarnCluster.start(
                Files.createDirectory(folder.resolve("cluster")),
                JVM,
                Map.of("yarn.scheduler.maximum-allocation-vcores", Integer.toString(VCORES)),
                settings(Map.of()));
        client = cluster.connect();
    }

    /** Starts both daemons, the NodeManager with the ordinary settings. */
    static SharedCluster start() throws IOException {
        return new SharedCluster(Files.createTempDirectory("berth-yarn-"));
    }

    Path folder() {
        return folder;
    }

    private Map<String, String> settings(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "yarn.nodemanager.container-state-transition-listener.classes",
                AffinityListener.class.getName(),
                "yarn.nodemanager.resource.cpu-vcores",
                Integer.toString(VCORES),
                "yarn.nodemanager.aux-services",
                "mapreduce_shuffle",
                "mapreduce.shuffle.port",
                "0",
                "yarn.nodemanager.recovery.enabled",
                "true",
                "yarn.nodemanager.recovery.supervised",
                "true",
                "yarn.nodemanager.recovery.dir",
                folder.resolve("recovery").toString(),
                YarnSettings.DOMAIN,
                "cores",
                YarnSettings.LEASES,
                folder.resolve("leases").toString()));
        settings.putAll(more);
        return settings;
    }

    /**
     * Gives a NodeManager with these settings in addition to the ordinary ones, the present one or a new one, and no
     * lease.
     */
    void need(Map<String, String> more) throws IOException {
        if (!cluster.nodeManager().isAlive() || !present.equals(more)) {
            renew(more);
        }
        awaitNoLease();
    }

    /**
     * Gives a new NodeManager that knows no container of the former one. It would launch again those that have lost their
     * process while there was none, and tell of these what it tells once only.
     */
    void renew(Map<String, String> more, String... jvmOptions) throws IOException {
        cluster.killNodeManager();
        FileUtil.fullyDelete(folder.resolve("recovery").toFile());
        restart(more, jvmOptions);
    }

    /** Gives a new NodeManager that recovers the containers of the former one, and whose log is empty. */
    void restart(Map<String, String> more, String... jvmOptions) throws IOException {
        cluster.killNodeManager();
        name = cluster.startNodeManager(settings(more), jvmOptions);
        present = more;
    }

    void killNodeManager() {
        cluster.killNodeManager();
    }

    ProcessHandle nodeManager() {
        return cluster.nodeManager();
    }

    YarnClient client() {
        return client;
    }

    /** The settings of clients. */
    Configuration clientSettings() {
        return cluster.client();
    }

    Ledger ledger() {
        return ledger;
    }

    /** What the present NodeManager has said about Berth. */
    List<String> lines() {
        return Application.berthLines(cluster.log(name));
    }

    List<String> warnings() {
        return lines().stream().filter(line -> line.startsWith("WARN")).toList();
    }

    void awaitLine(String text) {
        Await.until(
                "'" + text + "' in the log",
                this::lines,
                lines -> lines.stream().anyMatch(line -> line.contains(text)));
    }

    void awaitNoLease() {
        Await.until("the end of all leases", ledger::held, Map::isEmpty);
    }

    @Override
    public void close() throws IOException {
        client.close();
        cluster.close();
        // What a failed test has left.
        for (long pid : Processes.pids()) {
            if (Processes.commandLine(pid).contains(folder.toString())) {
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
        FileUtil.fullyDelete(folder.toFile());
    }
}
