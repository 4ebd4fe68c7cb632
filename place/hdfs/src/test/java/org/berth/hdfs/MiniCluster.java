package org.berth.hdfs;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.berth.oracle.ProcStatus;

/** Hadoop's own cluster for tests, with a NameNode and all DataNodes in this JVM, and the three hooks in each DataNode. */
final class MiniCluster implements AutoCloseable {
    private static final int VOLUMES = 2;

    private final Path folder;
    private final Configuration settings = new HdfsConfiguration();
    private final MiniDFSCluster cluster;
    private Path log;
    private int starts;

    private MiniCluster(Path folder, int dataNodes, StorageType[][] types, Map<String, String> more)
            throws IOException {
        this.folder = folder;
        log = folder.resolve("decisions");
        settings.set("dfs.datanode.plugins", HdfsAffinityPlugin.class.getName());
        settings.set("dfs.datanode.fsdataset.volume.choosing.policy", AffinityVolumePolicy.class.getName());
        settings.set("dfs.datanode.fsdataset.factory", AffinityDatasetFactory.class.getName());
        settings.set(HdfsSettings.DECISION_LOG, log.toString());
        settings.set(HdfsSettings.SCAN_MILLIS, "50");
        settings.set("dfs.blocksize", "8m");
        settings.set("dfs.replication", "2");
        settings.set("dfs.heartbeat.interval", "1");
        settings.set("dfs.namenode.redundancy.interval.seconds", "1");
        settings.set("dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER");
        more.forEach(settings::set);
        MiniDFSCluster.Builder builder = new MiniDFSCluster.Builder(
                        settings, folder.resolve("mini").toFile())
                .numDataNodes(dataNodes)
                .storagesPerDatanode(VOLUMES);
        cluster = (types.length == 0 ? builder : builder.storageTypes(types)).build();
        cluster.waitActive();
    }

    /** Starts a cluster with two volumes in each DataNode. */
    static MiniCluster start(Path folder, int dataNodes, Map<String, String> more) throws IOException {
        return start(folder, dataNodes, new StorageType[0][], more);
    }

    /** @param types of the volumes of each DataNode */
    static MiniCluster start(Path folder, int dataNodes, StorageType[][] types, Map<String, String> more)
            throws IOException {
        return new MiniCluster(folder, dataNodes, types, more);
    }

    MiniDFSCluster hadoop() {
        return cluster;
    }

    /** The one with these volumes: Hadoop's own list has one that was started again at its end. */
    DataNode dataNode(int index) {
        Set<Path> volumes =
                Set.of(volume(index, 0).getFileName(), volume(index, 1).getFileName());
        return cluster.getDataNodes().stream()
                .filter(node -> Stream.of(node.getConf().getTrimmedStrings("dfs.datanode.data.dir"))
                        .anyMatch(volume -> volumes.contains(Path.of(volume).getFileName())))
                .findFirst()
                .orElseThrow();
    }

    /** The folder where Hadoop has put a volume, or will put it: both counted from 0. */
    static Path volume(Path folder, int dataNode, int volume) {
        return folder.resolve("mini/data/data" + (dataNode * VOLUMES + volume + 1));
    }

    Path volume(int dataNode, int volume) {
        return volume(folder, dataNode, volume);
    }

    /** Applies to the DataNodes that are started from now on. */
    void set(String key, String value) {
        settings.set(key, value);
    }

    void unset(String key) {
        settings.unset(key);
    }

    /** Starts DataNodes on the volumes of all that were stopped, with a new decision log. */
    void startDataNodes(int count) throws IOException {
        log = folder.resolve("decisions-" + ++starts);
        settings.set(HdfsSettings.DECISION_LOG, log.toString());
        cluster.startDataNodes(settings, count, true, null, null);
        cluster.waitActive();
    }

    /** A client of its own, with its own connections. */
    DistributedFileSystem connect() throws IOException {
        return (DistributedFileSystem) FileSystem.newInstance(cluster.getURI(), settings);
    }

    List<DecisionLine> decisions(BlockWork work) throws IOException {
        return DecisionLine.readAll(log).stream()
                .filter(decision -> decision.work().equals(work.word()))
                .toList();
    }

    /** Berth's counters as this JVM's JMX has them. */
    static Map<String, Long> counters() {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        Map<String, Long> counters = new HashMap<>();
        try {
            for (ObjectName name :
                    beans.queryNames(new ObjectName("Hadoop:service=DataNode,name=BerthAffinity*"), null)) {
                List<String> names = Stream.of(beans.getMBeanInfo(name).getAttributes())
                        .map(attribute -> attribute.getName())
                        .toList();
                for (Attribute attribute :
                        beans.getAttributes(name, names.toArray(new String[0])).asList()) {
                    if (attribute.getValue() instanceof Number number) {
                        counters.put(attribute.getName(), number.longValue());
                    }
                }
            }
        } catch (JMException e) {
            throw new AssertionError(e);
        }
        return counters;
    }

    /** The kernel's names of this process' threads, as "name tid", whose mask is another than that. */
    static Map<String, String> masksOtherThan(String mask) {
        return ownThreads().stream()
                .filter(thread -> !thread.cpus().equals(mask))
                .collect(Collectors.toMap(thread -> thread.name() + " " + thread.tid(), ProcStatus::cpus));
    }

    /** The kernel's names of this process' threads. */
    static Set<String> threads() {
        return ownThreads().stream().map(ProcStatus::name).collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<ProcStatus> ownThreads() {
        return ProcStatus.threads(ProcessHandle.current().pid());
    }

    @Override
    public void close() {
        cluster.shutdown();
    }
}
