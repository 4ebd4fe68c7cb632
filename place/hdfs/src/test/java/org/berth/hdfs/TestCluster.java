package org.berth.hdfs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.cluster.HdfsCluster;

/** A cluster for tests: daemons that start quickly, blocks that are small. */
final class TestCluster {
    /** Half the processor time of a start with the default collector and compilers. */
    private static final List<String> JVM = List.of("-Xmx192m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private TestCluster() {}

    static HdfsCluster start(Path folder, int dataNodes, Map<String, String> dataNodeSettings) throws IOException {
        return HdfsCluster.start(
                folder,
                dataNodes,
                JVM,
                Map.of(
                        "dfs.replication",
                        Integer.toString(dataNodes),
                        "dfs.blocksize",
                        "8m",
                        // A copy that was ordered of a DataNode which is dead is ordered again soon.
                        "dfs.namenode.reconstruction.pending.timeout-sec",
                        "2",
                        "dfs.namenode.redundancy.interval.seconds",
                        "1",
                        // A connection that has served a reader stays as long as the DataNode lets it.
                        "dfs.client.socketcache.expiryMsec",
                        "600000",
                        // There is no DataNode to replace a dead one by: the pipeline goes on with the others.
                        "dfs.client.block.write.replace-datanode-on-failure.policy",
                        "NEVER"),
                dataNodeSettings);
    }
}
