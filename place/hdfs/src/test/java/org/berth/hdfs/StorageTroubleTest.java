package org.berth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMException;
import org.apache.hadoop.conf.ReconfigurationException;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.berth.binding.LocalMachine;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Volumes that come, fail or have no disk, and blocks that are not whole copies: none may fail because of the hooks. */
@Timeout(300)
@Tag("one-jdk")
@Tag("cluster")
class StorageTroubleTest {
    /** Two for data and one for parity, and one to take the place of another. */
    private static final int DATA_NODES = 4;

    private static final String STRIPES = "XOR-2-1-1024k";
    private static final String DATA_DIR = "dfs.datanode.data.dir";
    /** The DataNode with the RAM disk, that whose volumes change, that whose volume fails. */
    private static final int WITH_RAM = 0;

    private static final int CHANGING = 1;
    private static final int FAILING = 2;

    @TempDir
    static Path folder;

    private static MiniCluster cluster;

    @BeforeAll
    static void start() throws IOException {
        // Without Hadoop's native code no memory can be locked.
        NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.NoMlockCacheManipulator());
        Map<String, String> settings = new HashMap<>();
        settings.put("dfs.datanode.max.locked.memory", "33554432");
        settings.put("dfs.datanode.lazywriter.interval.sec", "1");
        settings.put("dfs.datanode.failed.volumes.tolerated", "1");
        settings.put("dfs.datanode.disk.check.min.gap", "0ms");
        StorageType[][] types = new StorageType[DATA_NODES][];
        for (int node = 0; node < DATA_NODES; node++) {
            types[node] =
                    new StorageType[] {node == WITH_RAM ? StorageType.RAM_DISK : StorageType.DISK, StorageType.DISK};
        }
        cluster = MiniCluster.start(folder, DATA_NODES, types, settings);
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void letsHadoopPersistMemoryByAThreadNearTheDisk() throws Exception {
        String allowed = Machine.cpuList();
        String one = Integer.toString(CpuSet.parseList(allowed).first());
        // On a machine of one node its place is all CPUs: its kernel's mask tells only if it was born with another one.
        for (int writer : tids("FsDatasetImpl$LazyWriter")) {
            LocalMachine.open().binder().setThreadCpusUnverified(writer, CpuSet.parseList(one));
        }
        TestFile file = new TestFile("/lazy", 3 << 20, 1);
        try (DistributedFileSystem files = cluster.connect()) {
            // The NameNode may think of the RAM disk as full, and then takes another.
            Await.until("a block in memory", () -> {
                writeLazily(files, file);
                return receivedOn(cluster.volume(WITH_RAM, 0)) > 0;
            });
            Await.until("the copy on the disk", () -> blocksBelow(cluster.volume(WITH_RAM, 1), "lazypersist") > 0);
            file.assertSameIn(files);
            String worker = "Async RamDisk lazy persist worker ";
            Await.until(
                    "the mask of the thread that wrote the copy",
                    () -> masks(worker).equals(Set.of(allowed)));
        }
    }

    /** Kernel's ids of this JVM's threads with that in their names. */
    private static List<Integer> tids(String part) {
        try {
            return NamedThreads.ownNames().entrySet().stream()
                    .filter(thread -> thread.getKey().contains(part))
                    .map(Map.Entry::getValue)
                    .toList();
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }

    private static Set<String> masks(String part) {
        return tids(part).stream()
                .map(tid -> NamedThreads.mask(ProcessHandle.current(), tid))
                .collect(Collectors.toSet());
    }

    private static void writeLazily(DistributedFileSystem files, TestFile file) {
        EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE, CreateFlag.LAZY_PERSIST);
        try (FSDataOutputStream out =
                files.create(file.path(), FsPermission.getFileDefault(), flags, 4096, (short) 1, 4 << 20, null)) {
            file.write(out, 0, file.size());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void knowsAVolumeThatComesLater() throws Exception {
        DataNode node = cluster.dataNode(CHANGING);
        Path added = memory();
        String volumes = node.getConf().get(DATA_DIR);
        LogCapturer log = LogCapturer.captureLogs(HdfsAffinityPlugin.LOG);
        try {
            node.reconfigurePropertyImpl(DATA_DIR, volumes + ",[DISK]file:" + added);
            writeUntilUsed(CHANGING, added);
            assertThat(log.getOutput().lines()).singleElement().asString().contains("another volume: " + added + " on");
            node.reconfigurePropertyImpl(DATA_DIR, volumes);
        } finally {
            log.stopCapturing();
            FileUtil.fullyDelete(added.toFile());
        }
        writeUntilUsed(CHANGING, cluster.volume(CHANGING, 0));
        assertThat(MiniCluster.counters()).containsEntry("Failures", 0L);
    }

    /** Where files have no disk, if there is such a place. */
    private static Path memory() throws IOException {
        Path memory = Path.of("/dev/shm");
        return Files.createTempDirectory(Files.isWritable(memory) ? memory : folder, "berth-hdfs-");
    }

    /** Hadoop's writer of lazily persisted blocks would not know what to do with the proxy. */
    @Test
    void refusesARamDiskThatComesLater() throws Exception {
        DataNode node = cluster.dataNode(CHANGING);
        Path added = Files.createDirectories(folder.resolve("memory"));
        String volumes = node.getConf().get(DATA_DIR);

        assertThatThrownBy(() -> node.reconfigurePropertyImpl(DATA_DIR, volumes + ",[RAM_DISK]file:" + added))
                .isInstanceOf(ReconfigurationException.class)
                .rootCause()
                .hasMessageContaining("lazy persistence")
                .hasMessageContaining(added.toString());

        writeUntilUsed(CHANGING, cluster.volume(CHANGING, 1));
    }

    @Test
    void goesOnWhenAVolumeFails() throws Exception {
        DataNode node = cluster.dataNode(FAILING);
        Path broken = cluster.volume(FAILING, 0);
        TestFile file = new TestFile("/broken", 12 << 20, 2);
        try (DistributedFileSystem files = cluster.connect()) {
            try (FSDataOutputStream out = files.create(file.path())) {
                file.write(out, 0, 4 << 20);
                // As a disk whose file system is gone.
                Files.move(broken, broken.resolveSibling("gone"));
                Files.createFile(broken);
                file.write(out, 4 << 20, file.size());
            }
            file.assertSameIn(files);
            node.checkDiskError();
            Await.until("the failed volume", () -> node.getFSDataset().getNumFailedVolumes() == 1);
            long before = receivedOn(broken);
            writeUntilUsed(FAILING, cluster.volume(FAILING, 1));
            writeUntilUsed(FAILING, cluster.volume(FAILING, 1));
            assertThat(receivedOn(broken)).isEqualTo(before);
        }
        assertThat(MiniCluster.counters()).containsEntry("Failures", 0L);
    }

    @Test
    void servesStripesAndRebuildsThem() throws Exception {
        TestFile file = new TestFile("/stripes/file", 5 << 20, 3);
        try (DistributedFileSystem files = cluster.connect()) {
            files.mkdirs(file.path().getParent());
            files.enableErasureCodingPolicy(STRIPES);
            files.setErasureCodingPolicy(file.path().getParent(), STRIPES);
            file.writeTo(files);
            file.assertSameIn(files);
            // A file may be closed before the NameNode has heard of its parity.
            Await.until("all parts of the stripe", () -> homes(files, file).size() == 3);
            List<String> homes = homes(files, file);

            DataNode victim = cluster.hadoop().getDataNodes().stream()
                    .filter(node -> homes.contains(node.getDatanodeId().getXferAddr()))
                    .findFirst()
                    .orElseThrow();
            String gone = victim.getDatanodeId().getXferAddr();
            DataNodeProperties stopped = cluster.hadoop().stopDataNode(gone);
            file.assertSameIn(files);
            cluster.hadoop().setDataNodeDead(victim.getDatanodeId());
            Await.until("the part of the DataNode that is gone", () -> {
                List<String> now = homes(files, file);
                return now.size() == 3 && !now.contains(gone);
            });
            file.assertSameIn(files);
            assertThat(cluster.hadoop().restartDataNode(stopped, false)).isTrue();
            cluster.hadoop().waitActive();
        }
        assertThat(MiniCluster.counters()).containsEntry("Failures", 0L);
    }

    private static List<String> homes(DistributedFileSystem files, TestFile file) {
        try {
            BlockLocation[] blocks = files.getFileBlockLocations(file.path(), 0, file.size());
            return List.of(blocks[0].getNames());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Writes small files to a DataNode until a decision names a volume; each is compared. */
    private static void writeUntilUsed(int dataNode, Path volume) throws IOException {
        long before = receivedOn(volume);
        try (DistributedFileSystem files = cluster.connect()) {
            Await.until("a block on " + volume, () -> {
                TestFile file = new TestFile("/small", 1000, 4);
                try {
                    try (FSDataOutputStream out =
                            file.createAt(files, cluster.dataNode(dataNode).getDatanodeId())) {
                        file.write(out, 0, file.size());
                    }
                    file.assertSameIn(files);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                return receivedOn(volume) > before;
            });
        }
    }

    private static long receivedOn(Path volume) {
        try {
            return cluster.decisions(BlockWork.RECEIVE).stream()
                    .filter(decision -> decision.volume().equals(volume.toString()))
                    .count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** How many whole blocks are in a folder of that name. */
    private static long blocksBelow(Path volume, String name) {
        try (Stream<Path> found = Files.walk(volume)) {
            return found.filter(file -> file.toString().contains("/" + name + "/"))
                    .filter(file -> file.getFileName().toString().matches("blk_[0-9]+"))
                    .count();
        } catch (IOException | UncheckedIOException vanished) {
            return 0;
        }
    }
}
