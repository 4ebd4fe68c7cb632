package org.berth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.berth.cluster.HdfsCluster;
import org.berth.oracle.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong is a line in the log of the DataNode, and its blocks are as good as ever. */
@Tag("cluster")
@Timeout(300)
class UnboundDataNodeTest {
    @TempDir
    Path folder;

    @Test
    void servesBlocksWithSenselessSettingsAndARamDisk() throws Exception {
        try (HdfsCluster cluster = TestCluster.start(
                folder,
                1,
                Map.of(
                        "dfs.datanode.plugins",
                        HdfsAffinityPlugin.class.getName(),
                        "dfs.datanode.fsdataset.volume.choosing.policy",
                        AffinityVolumePolicy.class.getName(),
                        "dfs.datanode.fsdataset.factory",
                        AffinityDatasetFactory.class.getName(),
                        AffinityVolumePolicy.DELEGATE,
                        "org.apache.hadoop.hdfs.server.datanode.fsdataset.AvailableSpaceVolumeChoosingPolicy",
                        HdfsSettings.POLICY,
                        "fastest",
                        "dfs.datanode.data.dir",
                        "[RAM_DISK]file://HOME/ram,[DISK]file://HOME/a",
                        "dfs.datanode.max.locked.memory",
                        "0"))) {
            try (DistributedFileSystem files = cluster.connect()) {
                TestFile file = new TestFile("/lazy", 3 << 20, 6);
                try (FSDataOutputStream out = files.create(
                        file.path(),
                        FsPermission.getFileDefault(),
                        EnumSet.of(CreateFlag.CREATE, CreateFlag.LAZY_PERSIST),
                        4096,
                        (short) 1,
                        4 << 20,
                        null)) {
                    file.write(out, 0, file.size());
                }
                file.assertSameIn(files);
            }
            // Plug-ins are started when the DataNode serves already.
            Path log = cluster.log("datanode0");
            Await.until("the plugin", () -> TestFile.contains(log, "run unbound: berth.hdfs"));
            assertThat(Files.readAllLines(log))
                    .filteredOn(line -> line.contains("Berth"))
                    .hasSize(2)
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("WARN ")
                            .contains("all threads of this DataNode run unbound")
                            .contains("berth.hdfs.policy")
                            .contains("fastest"))
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("WARN ")
                            .contains("RAM_DISK")
                            .contains("lazy persistence"));
        }
    }
}
