package org.berth.uploads;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB;
import org.berth.binding.LocalMachine;
import org.berth.cluster.HdfsCluster;
import org.berth.hdfs.AffinityDatasetFactory;
import org.berth.hdfs.AffinityVolumePolicy;
import org.berth.hdfs.HdfsAffinityPlugin;
import org.berth.jobkit.HdfsArm;
import org.berth.jobkit.JobMain;
import org.berth.rpc.FastProtobufRpcEngine;
import org.berth.topology.Topology;

/** Starts a cluster of its own for one run, and prints the lines that tools read. */
final class UploadMain {
    private static final List<String> JVM = List.of("-Xmx512m", "-XX:+UseParallelGC");
    private static final int WARM_UP_MEGABYTES = 27;

    private UploadMain() {}

    /** What a job does with its cluster; gives what is equal for equal options. */
    interface Work {
        String run(UploadSession session) throws Exception;
    }

    static void run(String name, HdfsJobOptions options, String[] words, Work work) {
        int exitCode = JobMain.run(
                name, "cannot measure HDFS", options, words, unprepared -> {}, parsed -> measure(parsed, work));
        // Hadoop's client leaves threads that would keep the JVM for seconds.
        System.exit(exitCode);
    }

    private static void measure(HdfsJobOptions options, Work work) throws Exception {
        Topology topology = LocalMachine.open().topology();
        Path folder = Files.createTempDirectory(options.folder(), "berth-hdfs");
        Path recordings = Files.createDirectory(folder.resolve("recordings"));
        List<String> jvm = new ArrayList<>(JVM);
        // Where only throughput is wanted, nothing else takes time.
        if (options.clients().size() == 1) {
            jvm.addAll(LockWaits.jvmOptions(recordings));
        }
        try (HdfsCluster cluster =
                HdfsCluster.start(folder, options.dataNodes(), jvm, settings(options), hooks(options.arm()))) {
            // After an interrupt too.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(cluster, folder)));
            int most = options.clients().stream().reduce(1, Math::max);
            // The first block of a DataNode pays for its classes and compiled code.
            Transfers warmUp = new Transfers(cluster, most, "/warm-up", WARM_UP_MEGABYTES);
            warmUp.write();
            warmUp.remove();
            UploadSession session = new UploadSession(cluster, options, topology);
            String result = work.run(session);
            session.print(recordings);
            JobMain.printResult(session.seconds(), result);
        } finally {
            remove(folder);
        }
    }

    private static Map<String, String> settings(HdfsJobOptions options) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "dfs.replication",
                Integer.toString(options.replicas()),
                // A client that closes its file before the NameNode knows of the last block waits so long, by
                // default 400 ms: one client was seen with 147 or 344 MB/s, by that chance.
                "dfs.client.block.write.locateFollowingBlock.initial.delay.ms",
                "5",
                "dfs.client.block.write.locateFollowingBlock.retries",
                "12",
                // How often the NameNode tells what to delete.
                "dfs.namenode.redundancy.interval.seconds",
                "1s"));
        if (options.arm() == HdfsArm.FAST_RPC) {
            String engine = FastProtobufRpcEngine.class.getName();
            settings.put("rpc.engine." + ClientNamenodeProtocolPB.class.getName(), engine);
            settings.put("rpc.engine." + DatanodeProtocolPB.class.getName(), engine);
        }
        return settings;
    }

    private static Map<String, String> hooks(HdfsArm arm) {
        Map<String, String> settings = new HashMap<>();
        if (arm != HdfsArm.STOCK && arm != HdfsArm.FAST_RPC) {
            settings.put("dfs.datanode.plugins", HdfsAffinityPlugin.class.getName());
            settings.put("dfs.datanode.fsdataset.volume.choosing.policy", AffinityVolumePolicy.class.getName());
            settings.put("dfs.datanode.fsdataset.factory", AffinityDatasetFactory.class.getName());
            settings.put("berth.hdfs.policy", arm.toString());
        }
        return settings;
    }

    private static void stop(HdfsCluster cluster, Path folder) {
        cluster.close();
        remove(folder);
    }

    private static void remove(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
