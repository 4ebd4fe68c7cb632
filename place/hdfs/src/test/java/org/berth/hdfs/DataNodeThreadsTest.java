package org.berth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.binding.LocalMachine;
import org.berth.cluster.HdfsCluster;
import org.berth.oracle.Await;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real NameNode and two real DataNodes with the three hooks; their threads are read from /proc while blocks are on the way. */
@Tag("cluster")
@Timeout(400)
@SuppressWarnings("try") // a scope is there to be closed
class DataNodeThreadsTest {
    private static final int DATA_NODES = SharedCluster.DATA_NODES;
    private static final Pattern BLOCK = Pattern.compile("blk_[0-9]+");

    @TempDir
    static Path folder;

    private static SharedCluster shared;
    private static HdfsCluster cluster;
    private static final String allowed = Machine.cpuList();
    private static String first = "";
    private static String second = "";

    @BeforeAll
    static void start() throws IOException {
        int[] two = Machine.requireCpus(2);
        first = Integer.toString(two[0]);
        second = Integer.toString(two[1]);
        shared = SharedCluster.start(folder, two[0], two[1]);
        cluster = shared.cluster();
    }

    @BeforeEach
    void bothDataNodesRun() throws IOException {
        shared.bothRun();
    }

    @AfterAll
    static void stop() throws IOException {
        if (shared != null) {
            shared.close();
        }
    }

    @Test
    void bindsReceivingThreadsAsTheDecisionLogSays() throws Exception {
        List<Integer> before = List.of(received(0).size(), received(1).size());
        TwoUploads.run(cluster::connect, () -> {
            for (int node = 0; node < DATA_NODES; node++) {
                assertThreadsAreWhereTheLogSays(node, TwoUploads.OPEN_BLOCKS);
            }
        });
        for (int i = 0; i < DATA_NODES; i++) {
            int node = i;
            List<DecisionLine> received = received(node);
            List<DecisionLine> ours = received.subList(before.get(node), received.size());
            // Six blocks, by Hadoop's own choice in turn on both volumes.
            assertThat(ours).hasSize(6);
            assertThat(ours).extracting(DecisionLine::volume).contains(home(node) + "/a", home(node) + "/b");
            received.forEach(decision -> assertKindFits(node, decision));
            assertCounted(node, "ThreadsReceive", BlockWork.RECEIVE);
        }
    }

    private static void assertKindFits(int node, DecisionLine decision) {
        String core = decision.volume().equals(home(node) + "/a") ? first : second;
        switch (decision.kind()) {
            case "[DS]" -> assertThat(decision.cpus()).isEqualTo(core);
            case DecisionLog.NO_CORE -> assertThat(decision.cpus()).isEqualTo(allowed);
            default ->
                assertThat(cpus(decision.cpus()).get(Integer.parseInt(core))).isFalse();
        }
    }

    private static void assertThreadsAreWhereTheLogSays(int node, int blocks) throws Exception {
        ProcessHandle process = cluster.dataNode(node);
        Map<String, Integer> threads = NamedThreads.whileReceiving(blocks, () -> NamedThreads.names(process));
        Map<String, String> cpusOfBlock = new HashMap<>();
        Map<String, String> seenOfBlock = new HashMap<>();
        for (DecisionLine decision : received(node)) {
            String name = decision.threadName();
            if (threads.containsKey(name)) {
                assertThat(threads.get(name)).as("id of %s", name).isEqualTo(decision.tid());
                cpusOfBlock.put(block(name), decision.cpus());
                seenOfBlock.put(block(name), NamedThreads.mask(process, decision.tid()));
            }
        }
        assertThat(seenOfBlock)
                .as("blocks on their way to DataNode %s", node)
                .hasSize(blocks)
                .isEqualTo(cpusOfBlock);
        Map<String, String> responders = new HashMap<>();
        threads.forEach((name, tid) -> {
            if (name.startsWith("PacketResponder")) {
                responders.put(block(name), NamedThreads.mask(process, tid));
            }
        });
        assertThat(responders).as("responders inherit").isEqualTo(cpusOfBlock);
    }

    @Test
    @Tag("one-jdk")
    void leavesTheInterruptCoreAloneWhileItIsBusy() throws Exception {
        shared.load().setBusy(cpus(first));
        try (DistributedFileSystem files = cluster.connect()) {
            Await.until(
                    "a core other than the busy one", () -> lastOnVolumeA(files).equals(second));
            int before = received(0).size();
            for (int i = 0; i < 6; i++) {
                new TestFile("/busy", 1, i).writeTo(files);
            }
            assertThat(received(0).subList(before, before + 6))
                    .allMatch(decision -> !decision.cpus().equals(first))
                    .allSatisfy(decision -> assertKindFits(0, decision));

            shared.load().setBusy(new BitSet());
            Await.until(
                    "the core that is idle again", () -> lastOnVolumeA(files).equals(first));
        }
    }

    /** Writes a block to each volume. */
    private static String lastOnVolumeA(DistributedFileSystem files) {
        SharedCluster.writeProbe(files);
        SharedCluster.writeProbe(files);
        return received(0).stream()
                .filter(decision -> decision.volume().equals(home(0) + "/a"))
                .reduce((earlier, later) -> later)
                .orElseThrow()
                .cpus();
    }

    @Test
    void bindsReadersAndGivesTheirCpusBack() throws Exception {
        try (DistributedFileSystem files = cluster.connect()) {
            TestFile file = new TestFile("/read", 3 << 20, 3);
            file.writeTo(files);
            try (FSDataInputStream in = files.open(file.path())) {
                file.assertSame(in);
            }
            List<Integer> waiting = new ArrayList<>();
            for (int node = 0; node < DATA_NODES; node++) {
                ProcessHandle process = cluster.dataNode(node);
                for (DecisionLine sent : decisions(node, BlockWork.SEND)) {
                    if (!NamedThreads.mask(process, sent.tid()).isEmpty()) {
                        Await.until(
                                "the reader's CPUs",
                                () -> NamedThreads.mask(process, sent.tid()).equals(allowed));
                        waiting.add(sent.tid());
                    }
                }
            }
            assertThat(waiting).as("readers that wait for their client").isNotEmpty();
        }
    }

    @Test
    void bindsThreadsThatAppend() throws Exception {
        List<Integer> before = List.of(
                decisions(0, BlockWork.CONTINUE).size(),
                decisions(1, BlockWork.CONTINUE).size());
        try (DistributedFileSystem files = cluster.connect()) {
            TestFile file = new TestFile("/append", 5 << 20, 4);
            file.writeAndAppend(files, 1 << 20, DATA_NODES);
            file.assertSameIn(files);
        }
        for (int node = 0; node < DATA_NODES; node++) {
            assertThat(decisions(node, BlockWork.CONTINUE)).hasSize(before.get(node) + 1);
        }
    }

    @Test
    @Tag("one-jdk")
    void recoversABlockWhoseDataNodeIsKilledAndComesBack() throws Exception {
        try (DistributedFileSystem files = cluster.connect()) {
            TestFile file = new TestFile("/killed", 20 << 20, 5);
            int before = decisions(0, BlockWork.CONTINUE).size();
            try (FSDataOutputStream out = files.create(file.path())) {
                file.write(out, 0, 10 << 20);
                ProcessHandle victim = cluster.dataNode(1);
                victim.destroyForcibly();
                victim.onExit().get();
                file.write(out, 10 << 20, file.size());
            }
            file.assertSameIn(files);
            assertThat(decisions(0, BlockWork.CONTINUE)).hasSizeGreaterThan(before);
            assertCounted(0, "ThreadsContinue", BlockWork.CONTINUE);
        }
        // It comes back. The client is on the same host, and the packets of its connections are handled where it runs.
        shared.restart(1, Map.of(HdfsSettings.NETWORK_CONNECTIONS, "all"));
        Binder binder = LocalMachine.open().binder();
        try (DistributedFileSystem files = cluster.connect()) {
            for (String client : List.of(first, second, first)) {
                TestFile file = new TestFile("/returned-" + client, 9 << 20, 7);
                int before = received(1).size();
                try (BoundScope sender = binder.bindThread(CpuSet.parseList(client));
                        FSDataOutputStream out = file.createAt(files, cluster.info(files, 1))) {
                    file.write(out, 0, file.size());
                    List<DecisionLine> blocks =
                            received(1).subList(before, received(1).size());
                    assertThat(blocks).hasSize(2).allSatisfy(block -> {
                        assertThat(block.connectionCpu()).isEqualTo(client);
                        assertThat(cpus(block.cpus()).get(Integer.parseInt(client)))
                                .as("[NS] in %s", block.cpus())
                                .isFalse();
                    });
                    DecisionLine open = blocks.get(1);
                    assertThat(NamedThreads.mask(cluster.dataNode(1), open.tid()))
                            .isEqualTo(open.cpus());
                }
                file.assertSameIn(files);
            }
            // Only the one that came back asks for the CPUs of connections.
            Await.until(
                    "the counter of own connections",
                    () -> counters(1).getOrDefault("OwnConnection", 0L) == ofOwnConnection(1));
            assertThat(ofOwnConnection(1)).isGreaterThanOrEqualTo(6);
            // Its half of the block is too old, and the NameNode has it replaced by a copy.
            TestFile killed = new TestFile("/killed", 20 << 20, 5);
            Await.until("copies of the recovered file", () -> killed.copies(files) == DATA_NODES);
            cluster.dataNode(0).destroyForcibly();
            killed.assertSameIn(files);
        }
    }

    private static long ofOwnConnection(int node) {
        return shared.decisions(node).stream()
                .filter(decision -> !decision.connectionCpu().equals(DecisionLog.NO_CORE))
                .count();
    }

    /** From clients. */
    private static List<DecisionLine> received(int node) {
        return decisions(node, BlockWork.RECEIVE).stream()
                .filter(DecisionLine::forClient)
                .toList();
    }

    private static List<DecisionLine> decisions(int node, BlockWork work) {
        return shared.decisions(node).stream()
                .filter(decision -> decision.work().equals(work.word()))
                .toList();
    }

    private static Path home(int node) {
        return shared.home(node);
    }

    private static String block(String threadName) {
        Matcher block = BLOCK.matcher(threadName);
        assertThat(block.find()).as(threadName).isTrue();
        return block.group();
    }

    /** Hadoop shows counters that are some seconds old. */
    private static void assertCounted(int node, String counter, BlockWork work) {
        Await.until(
                counter + " as often as logged",
                () -> counters(node).getOrDefault(counter, 0L)
                        == decisions(node, work).size());
        assertThat(counters(node)).containsEntry("Failures", 0L);
    }

    /** The counters that an administrator sees, through the web server of the DataNode. */
    private static Map<String, Long> counters(int node) {
        Map<String, Long> counters = new HashMap<>();
        try (DistributedFileSystem files = cluster.connect()) {
            DatanodeInfo info = cluster.info(files, node);
            String text = HttpClient.newBuilder()
                    // The DataNode answers an offer of HTTP/2 with 400.
                    .version(HttpClient.Version.HTTP_1_1)
                    .build()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + info.getInfoPort()
                                            + "/jmx?qry=Hadoop:service=DataNode,name=BerthAffinity"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
            Matcher counter = Pattern.compile("\"([A-Za-z]+)\" : ([0-9]+)").matcher(text);
            while (counter.find()) {
                counters.put(counter.group(1), Long.valueOf(counter.group(2)));
            }
            assertThat(counters).as(text).isNotEmpty();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
        return counters;
    }

    private static BitSet cpus(String list) {
        BitSet cpus = new BitSet();
        KernelList.numbers(list).forEach(cpus::set);
        return cpus;
    }
}
