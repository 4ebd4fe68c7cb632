package org.berth.hdfs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.berth.cluster.HdfsCluster;
import org.berth.oracle.Await;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;

/**
 * A NameNode and two DataNodes with the three hooks for all tests of a class, each a process. A test may kill DataNodes and
 * start them with other settings: the next one finds both with the ordinary settings again, so that each test runs alone and
 * in any order.
 */
final class SharedCluster implements AutoCloseable {
    static final int DATA_NODES = 2;

    private final Map<String, String> ordinary = new HashMap<>();
    private final PlantedLoad load;
    private final HdfsCluster cluster;
    /** The name of each DataNode's decision log; one that starts again begins another. */
    private final String[] logs = {"decisions", "decisions"};

    private final boolean[] changed = new boolean[DATA_NODES];
    private int starts;

    private SharedCluster(Path folder, int first, int second) throws IOException {
        BitSet cpus = new BitSet();
        KernelList.numbers(Machine.cpuList()).forEach(cpus::set);
        ordinary.put("dfs.datanode.plugins", HdfsAffinityPlugin.class.getName());
        ordinary.put("dfs.datanode.fsdataset.volume.choosing.policy", AffinityVolumePolicy.class.getName());
        ordinary.put("dfs.datanode.fsdataset.factory", AffinityDatasetFactory.class.getName());
        ordinary.put(HdfsSettings.DECISION_LOG, "HOME/decisions");
        // Two disks with an interrupt core each, and a load, whatever this machine has and does.
        ordinary.put(HdfsSettings.DISK_CPUS, "HOME/a=" + first + ";HOME/b=" + second);
        load = new PlantedLoad(folder.resolve("planted"), cpus);
        ordinary.put(HdfsSettings.LOAD_ROOT, folder.resolve("planted").toString());
        // As long as the planting thread may have to wait for a CPU, and as short as a core may count as taken.
        ordinary.put("berth.hdfs.load.interval.ms", "10");
        ordinary.put("berth.hdfs.load.window", "500");
        ordinary.put(HdfsSettings.SCAN_MILLIS, "50");
        // Readers wait for their client's next request until the test has seen them.
        ordinary.put("dfs.datanode.socket.reuse.keepalive", "300000");
        cluster = TestCluster.start(folder, DATA_NODES, ordinary);
        for (int node = 0; node < DATA_NODES; node++) {
            awaitPlugin(node);
        }
    }

    /**
     * Starts all daemons.
     *
     * @param first CPU of the interrupts of each DataNode's first disk
     * @param second that of its second disk
     */
    static SharedCluster start(Path folder, int first, int second) throws IOException {
        return new SharedCluster(folder, first, second);
    }

    /** Starts DataNodes again that have ended or have other settings; all CPUs are idle, and known to be. */
    void bothRun() throws IOException {
        load.setBusy(new BitSet());
        for (int node = 0; node < DATA_NODES; node++) {
            if (changed[node] || !cluster.dataNode(node).isAlive()) {
                restart(node, Map.of());
                changed[node] = false;
            }
        }
        // What was seen once only is not known to be idle.
        try (DistributedFileSystem files = cluster.connect()) {
            for (int node = 0; node < DATA_NODES; node++) {
                int each = node;
                Await.until("an idle disk", () -> {
                    writeProbe(files);
                    return decisions(each).stream()
                            .filter(decision -> decision.work().equals(BlockWork.RECEIVE.word()))
                            .reduce((earlier, later) -> later)
                            .filter(last -> "[DS]".equals(last.kind()))
                            .isPresent();
                });
            }
        }
    }

    /** Ends a DataNode, and starts it with more settings than the ordinary ones; returns when its plugin runs. */
    void restart(int node, Map<String, String> more) throws IOException {
        cluster.dataNode(node).destroyForcibly();
        cluster.dataNode(node).onExit().join();
        changed[node] = true;
        logs[node] = "decisions-" + ++starts;
        Map<String, String> settings = new HashMap<>(ordinary);
        settings.put(HdfsSettings.DECISION_LOG, "HOME/" + logs[node]);
        settings.putAll(more);
        cluster.restartDataNode(node, settings);
        awaitPlugin(node);
    }

    /** A DataNode starts its plugins after it has told the NameNode that it is there. */
    private void awaitPlugin(int node) {
        Await.until("the plugin of a DataNode", () -> Files.exists(home(node).resolve(logs[node])));
    }

    static void writeProbe(DistributedFileSystem files) {
        try {
            new TestFile("/probe", 1, 0).writeTo(files);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    HdfsCluster cluster() {
        return cluster;
    }

    PlantedLoad load() {
        return load;
    }

    Path home(int node) {
        return cluster.home(node);
    }

    /** What a DataNode has decided since it was started. */
    List<DecisionLine> decisions(int node) {
        try {
            return DecisionLine.readAll(home(node).resolve(logs[node]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        cluster.close();
        // Into the report of the test, where it is wanted when it fails.
        System.out.println(cluster.logs());
        load.close();
    }
}
