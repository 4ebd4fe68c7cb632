package org.berth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.binding.LocalMachine;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.placement.internal.dynamic.DynamicPolicy;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two DataNodes in this JVM: the plugin twice, the volumes of both, one set of threads. Takes seconds. */
@Tag("cluster")
@Timeout(300)
@SuppressWarnings("try") // a scope is there to be closed
class MiniClusterTest {
    private static final int DATA_NODES = 2;
    private static final Pattern BLOCK = Pattern.compile("blk_[0-9]+");
    /** Threads that may be bound, by the kernel's names: nothing else may inherit one. */
    private static final Set<String> PLACED =
            Set.of("DataXceiver for", "PacketResponder", "Async disk work", "VolumeScannerTh", "FsVolumeImplWor");

    @TempDir
    static Path folder;

    private static PlantedLoad load;
    private static MiniCluster cluster;
    private static boolean changed;
    private static String allowed = "";
    private static String first = "";
    private static String second = "";

    @BeforeAll
    static void start() throws IOException {
        int[] two = Machine.requireCpus(2);
        allowed = Machine.cpuList();
        CpuSet cpus = CpuSet.parseList(allowed);
        first = Integer.toString(two[0]);
        second = Integer.toString(two[1]);
        load = new PlantedLoad(folder.resolve("planted"), cpus.toBitSet());
        Map<String, String> settings = new HashMap<>();
        settings.put(HdfsSettings.LOAD_ROOT, folder.resolve("planted").toString());
        settings.put("berth.hdfs.load.interval.ms", "10");
        settings.put("berth.hdfs.load.window", "500");
        settings.put(HdfsSettings.DISK_CPUS, diskCpus());
        cluster = MiniCluster.start(folder, DATA_NODES, settings);
    }

    /** Each DataNode has two disks with an interrupt core each, whatever this machine has. */
    private static String diskCpus() {
        List<String> parts = new ArrayList<>();
        for (int node = 0; node < DATA_NODES; node++) {
            parts.add(MiniCluster.volume(folder, node, 0) + "=" + first);
            parts.add(MiniCluster.volume(folder, node, 1) + "=" + second);
        }
        return String.join(";", parts);
    }

    /** A test may stop DataNodes and start them with another policy: the next one finds both with the ordinary settings. */
    @BeforeEach
    void bothDataNodesRun() throws IOException {
        if (changed) {
            cluster.hadoop().shutdownDataNodes();
            cluster.unset(HdfsSettings.POLICY);
            cluster.unset(HdfsSettings.NETWORK_CONNECTIONS);
            cluster.startDataNodes(DATA_NODES);
            changed = false;
        }
    }

    @AfterAll
    static void stop() throws IOException {
        if (cluster != null) {
            cluster.close();
        }
        if (load != null) {
            load.close();
        }
    }

    @Test
    void bindsTheThreadsOfBothDataNodes() throws Exception {
        List<DecisionLine> received = uploadAndLook();

        assertThat(received).extracting(DecisionLine::kind).contains("[DS]");
        for (DecisionLine decision : received) {
            if (decision.kind().equals("[DS]")) {
                boolean even =
                        decision.volume().endsWith("data1") || decision.volume().endsWith("data3");
                assertThat(decision.cpus()).as(decision.volume()).isEqualTo(even ? first : second);
            }
        }
        Await.until("the counters", () -> counted("ThreadsReceive") == logged());
        assertThat(counted("Failures")).isZero();
    }

    /** Three blocks of each of two files, each on both DataNodes: Hadoop takes their volumes in turn. */
    private static List<DecisionLine> uploadAndLook() throws Exception {
        int before = received().size();
        TwoUploads.run(cluster::connect, () -> assertThreadsAreWhereTheLogSays(TwoUploads.OPEN_BLOCKS));
        List<DecisionLine> received = received();
        List<DecisionLine> ours = received.subList(before, received.size());
        assertThat(ours).hasSize(2 * 3 * DATA_NODES);
        for (int node = 0; node < DATA_NODES; node++) {
            for (int volume = 0; volume < 2; volume++) {
                assertThat(ours)
                        .extracting(DecisionLine::volume)
                        .contains(cluster.volume(node, volume).toString());
            }
        }
        return List.copyOf(ours);
    }

    private static void assertThreadsAreWhereTheLogSays(int blocks) throws Exception {
        ProcessHandle self = ProcessHandle.current();
        Map<String, Integer> threads = NamedThreads.whileReceiving(blocks * DATA_NODES, NamedThreads::ownNames);
        Map<String, List<String>> decided = new HashMap<>();
        Map<String, List<String>> seen = new HashMap<>();
        for (DecisionLine decision : received()) {
            String name = decision.threadName();
            if (threads.containsKey(name)) {
                assertThat(threads.get(name)).as("id of %s", name).isEqualTo(decision.tid());
                add(decided, name, decision.cpus());
                add(seen, name, NamedThreads.mask(self, decision.tid()));
            }
        }
        Map<String, List<String>> responders = new HashMap<>();
        threads.forEach((name, tid) -> {
            if (name.startsWith("PacketResponder")) {
                add(responders, name, NamedThreads.mask(self, tid));
            }
        });
        assertThat(decided)
                .as("blocks on their way")
                .hasSize(blocks)
                .allSatisfy((block, cpus) -> assertThat(cpus).hasSize(DATA_NODES));
        assertThat(seen).isEqualTo(decided);
        assertThat(responders).as("responders inherit").isEqualTo(decided);
        assertThat(MiniCluster.masksOtherThan(allowed).keySet())
                .as("bound threads")
                .allMatch(name -> PLACED.contains(name.substring(0, name.lastIndexOf(' '))), "one that may have it");
    }

    private static void add(Map<String, List<String>> masks, String threadName, String mask) {
        Matcher block = BLOCK.matcher(threadName);
        assertThat(block.find()).as(threadName).isTrue();
        List<String> ofBlock = masks.computeIfAbsent(block.group(), any -> new ArrayList<>());
        ofBlock.add(mask);
        Collections.sort(ofBlock);
    }

    @Test
    void bindsThreadsThatAppendAndRead() throws Exception {
        try (DistributedFileSystem files = cluster.connect()) {
            TestFile file = new TestFile("/append", 5 << 20, 3);
            file.writeAndAppend(files, 1 << 20, DATA_NODES);
            int before = cluster.decisions(BlockWork.SEND).size();
            file.assertSameIn(files);
            assertThat(cluster.decisions(BlockWork.SEND)).hasSizeGreaterThan(before);
        }
        assertThat(cluster.decisions(BlockWork.CONTINUE)).hasSize(DATA_NODES);
    }

    @Test
    void goesOnWhileOneOfThemIsAway() throws Exception {
        DataNodeProperties away = cluster.hadoop().stopDataNode(0);
        int before = received().size();
        TestFile file = new TestFile("/alone", 9 << 20, 4);
        try (DistributedFileSystem files = cluster.connect()) {
            try (FSDataOutputStream out =
                    file.createAt(files, cluster.hadoop().getDataNodes().get(0).getDatanodeId())) {
                file.write(out, 0, file.size());
            }
            file.assertSameIn(files);
        }
        assertThat(received()).hasSize(before + 2);

        // Its ports may be another's by now.
        assertThat(cluster.hadoop().restartDataNode(away, false)).isTrue();
        cluster.hadoop().waitActive();
        // It is the last in Hadoop's list now, and has its volumes and its id.
        uploadAndLook();
    }

    @Test
    void tellsADataNodeThatTheSettingsOfTheFirstCount() throws Exception {
        Configuration given = new Configuration(cluster.dataNode(0).getConf());
        LogCapturer log = LogCapturer.captureLogs(HdfsAffinityPlugin.LOG);
        try {
            DataNodeBinder.open(given).close();
            assertThat(log.getOutput()).contains("one more DataNode").doesNotContain("do not count");
            for (String policy : List.of(DynamicPolicy.NODE.word(), "fastest")) {
                given.set(HdfsSettings.POLICY, policy);
                log.clearOutput();
                DataNodeBinder.open(given).close();
                assertThat(log.getOutput().lines())
                        .filteredOn(line -> line.contains("do not count"))
                        .singleElement()
                        .asString()
                        .contains(policy.equals("fastest") ? "'fastest'" : "they differ");
            }
        } finally {
            log.stopCapturing();
        }
        // The scopes of the first ones stay open.
        uploadAndLook();
    }

    @Test
    void givesEveryThreadItsCpusBackAndTakesAnotherPolicy() throws Exception {
        changed = true;
        cluster.hadoop().shutdownDataNodes();
        assertNothingIsLeft();

        cluster.set(HdfsSettings.POLICY, DynamicPolicy.NODE.word());
        cluster.startDataNodes(DATA_NODES);
        String node = LocalMachine.open()
                .topology()
                .cpusNear(LocalMachine.open().topology().nodesNear(CpuSet.parseList(first)))
                .toString();
        List<DecisionLine> received = uploadAndLook();
        assertThat(received).extracting(DecisionLine::kind).containsOnly(DecisionLog.NO_CORE);
        assertThat(received)
                .filteredOn(decision -> decision.volume().endsWith("data1"))
                .isNotEmpty()
                .extracting(DecisionLine::cpus)
                .containsOnly(node);
    }

    @Test
    void asksForTheCpusOfConnections() throws Exception {
        changed = true;
        cluster.hadoop().shutdownDataNodes();
        cluster.set(HdfsSettings.POLICY, DynamicPolicy.INTERRUPT.word());
        // The client is on the same host, and the packets of its connections are handled where it runs.
        cluster.set(HdfsSettings.NETWORK_CONNECTIONS, Connections.ALL.word());
        cluster.startDataNodes(DATA_NODES);
        Binder binder = LocalMachine.open().binder();
        DatanodeID only = cluster.dataNode(0).getDatanodeId();
        for (String client : List.of(first, second)) {
            int before = received().size();
            TestFile file = new TestFile("/from-" + client, 1 << 20, 5);
            try (DistributedFileSystem files = cluster.connect();
                    BoundScope sender = binder.bindThread(CpuSet.parseList(client));
                    FSDataOutputStream out = file.createAt(files, only)) {
                file.write(out, 0, file.size());
                List<DecisionLine> received = received();
                assertThat(received.subList(before, received.size()))
                        .singleElement()
                        .satisfies(block -> {
                            assertThat(block.connectionCpu()).isEqualTo(client);
                            assertThat(CpuSet.parseList(block.cpus()).contains(Integer.parseInt(client)))
                                    .as("[NS] in %s", block.cpus())
                                    .isFalse();
                        });
            }
        }
        cluster.hadoop().shutdownDataNodes();
        assertNothingIsLeft();
    }

    /** With the last DataNode goes all that Berth had. */
    private static void assertNothingIsLeft() throws IOException {
        Await.until("the end of the bound threads", () -> noneBound());
        // The kernel's thread ends after Java's.
        Await.until("the end of Berth's own threads", () -> noneOfOurs());
        assertThat(MiniCluster.counters()).isEmpty();
    }

    private static boolean noneBound() {
        return MiniCluster.masksOtherThan(allowed).isEmpty();
    }

    private static boolean noneOfOurs() {
        return MiniCluster.threads().stream().noneMatch(name -> name.startsWith("berth"));
    }

    /** From clients. */
    private static List<DecisionLine> received() throws IOException {
        return cluster.decisions(BlockWork.RECEIVE).stream()
                .filter(DecisionLine::forClient)
                .toList();
    }

    private static long logged() {
        try {
            return cluster.decisions(BlockWork.RECEIVE).size();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static long counted(String counter) {
        return MiniCluster.counters().getOrDefault(counter, 0L);
    }
}
