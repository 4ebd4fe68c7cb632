package org.berth.daemons;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.cluster.HdfsCluster;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.rpc.FastProtobufRpcEngine;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode under the agent, a DataNode with the hooks and one without, set up as the pages say; masks read from /proc. */
@Timeout(300)
@Tag("one-jdk")
@Tag("cluster")
class HdfsDaemonsTest {
    private static final int HANDLERS = 6;
    private static final int WITH = 0;
    private static final int WITHOUT = 1;
    private static final String SET_UP = "## Set up";
    private static final String VERIFY = "## Check";

    @TempDir
    static Path folder;

    private static Page page;
    private static HdfsCluster cluster;
    private static Map<String, String> hooks = Map.of();
    private static String allowed = "";

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        allowed = Machine.cpuList();
        CpuSet cpus = CpuSet.parseList(allowed);
        Machine.requireCpus(2);
        page = Page.of("hdfs.md");
        hooks = new HashMap<>(page.properties(SET_UP));
        assertThat(hooks).as("properties to copy").hasSize(3);
        // Disks with an interrupt core, which are always idle enough, whatever this machine has and does.
        hooks.put("berth.hdfs.disk.cpus", "HOME/a=" + cpus.first() + ";HOME/b=" + cpus.first());
        cluster = HdfsCluster.start(
                folder,
                1,
                List.of("-Xmx192m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                List.of(agent()),
                Map.of(
                        "dfs.replication",
                        "1",
                        "dfs.namenode.handler.count",
                        Integer.toString(HANDLERS),
                        "rpc.engine.org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB",
                        FastProtobufRpcEngine.class.getName()),
                hooks);
        cluster.addDataNode(Map.of());
        awaitPlugin();
    }

    private static void awaitPlugin() {
        Await.until("the plugin", () -> contains(cluster.log("datanode" + WITH), "Berth: policy"));
    }

    /** The setting of the page for YARN, with a ledger of its own. */
    private static String agent() throws IOException, InterruptedException {
        String lines = Page.of("yarn.md").commands("## Set up", "HDFS_NAMENODE_OPTS");
        String library = "/opt/berth/lib/libberth.so";
        assertThat(lines).contains(library);
        List<String> options =
                new ShellLines(lines.replace(library, NativeLibrary.file().toString())).words("HDFS_NAMENODE_OPTS");
        assertThat(options).hasSize(1);
        return options.get(0) + ",leases=" + folder.resolve("leases");
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
            // Into the report of the test, where it is wanted when it fails.
            System.out.println(cluster.logs());
        }
    }

    @Test
    void givesEachHandlerOfTheNameNodeACpu() throws Exception {
        Map<Integer, String> handlers = masks(cluster.nameNode(), "IPC Server hand");

        assertThat(handlers).hasSize(HANDLERS);
        assertThat(handlers.values())
                .allSatisfy(mask -> assertThat(CpuSet.parseList(mask).size())
                        .as("CPUs of a handler, %s", mask)
                        .isOne());
        assertThat(handlers.values().stream().distinct()).as("spread").hasSizeGreaterThan(1);
        // The JVM's first thread, and those that serve all handlers, have all of the process' part.
        String process = ProcStatus.of(cluster.nameNode().pid()).cpus();
        assertThat(CpuSet.parseList(process).size()).isGreaterThan(1);
        assertThat(masks(cluster.nameNode(), "IPC Server Resp").values()).containsOnly(process);
        assertThat(masks(cluster.nameNode(), "Socket Reader #").values()).containsOnly(process);
    }

    /** What the kernel counts tells whether a thread took part: each call of one client wakes a handler. */
    @Test
    void handlersKeepTheirCpusWhileTheyServeTheTransport() throws Exception {
        ProcessHandle node = cluster.nameNode();
        int calls = 300;
        try (DistributedFileSystem files = cluster.connect()) {
            files.mkdirs(new org.apache.hadoop.fs.Path("/first"));
            long handlers = waits(node, "IPC Server hand");
            long readers = waits(node, "Socket Reader #");
            for (int i = 0; i < calls; i++) {
                files.mkdirs(new org.apache.hadoop.fs.Path("/folder" + i));
                if (i % 10 == 0) {
                    assertThat(masks(node, "IPC Server hand").values())
                            .hasSize(HANDLERS)
                            .allMatch(mask -> CpuSet.parseList(mask).size() == 1);
                }
            }
            assertThat(waits(node, "IPC Server hand") - handlers).isGreaterThan(calls / 2);
            // Those of the DataNodes' own connections.
            assertThat(waits(node, "Socket Reader #") - readers)
                    .as("calls over Hadoop's own connections")
                    .isLessThan(calls / 2);
        }
        assertThat(masks(node, "berth-rpc-serve").values())
                .isNotEmpty()
                .containsOnly(ProcStatus.of(node.pid()).cpus());
    }

    /** How often threads have waited for something so far. */
    private static long waits(ProcessHandle process, String name) {
        return ProcStatus.threads(process.pid()).stream()
                .filter(thread -> thread.name().equals(name))
                .mapToLong(thread -> Long.parseLong(thread.field("voluntary_ctxt_switches")))
                .sum();
    }

    @Test
    void isSeenByTheCommandsOfThePage() throws Exception {
        ProcessHandle node = cluster.dataNode(WITH);
        // Several DataNodes run here.
        String shown = page.commands(VERIFY, "Cpus_allowed_list").replaceAll("pid=\\$\\([^)]*\\)", "pid=" + node.pid());
        assertThat(shown).startsWith("pid=" + node.pid() + "\n");
        String address = page.text().replaceAll("(?s).*`(http://DATANODE:9864/jmx[^`]*)`.*", "$1");
        assertThat(address).contains("name=");
        try (DistributedFileSystem files = cluster.connect();
                FSDataOutputStream out = openBlock(files, WITH, "/open")) {
            out.write("some bytes".getBytes(StandardCharsets.US_ASCII));
            out.hflush();
            Command bash = Command.run(List.of("bash", "-u", "-c", shown));
            assertThat(bash.exitCode()).as(bash.out()).isZero();
            Map<Integer, String> workers = masks(node, "DataXceiver for");
            Map<Integer, String> responders = masks(node, "PacketResponder");
            assertThat(workers).hasSize(1);
            assertThat(bash.out().lines())
                    .hasSize(2)
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.concat(workers.values().stream(), responders.values().stream())
                                    .map(mask -> "Cpus_allowed_list:\t" + mask)
                                    .toList());

            long free = workers.values().stream().filter(allowed::equals).count();
            Command doctor = doctor(node);
            assertThat(finding(doctor, "datanode-plugin")).contains("\"ok\"").contains("runs in this DataNode");
            assertThat(finding(doctor, "datanode-threads"))
                    .contains(free == 0 ? "\"ok\"" : "\"info\"")
                    .contains(free + " of 1 thread that serve");
            assertThat(finding(doctor, "disk-and-network-interrupts")).isNotEmpty();

            String metrics = address.replace(
                    "DATANODE:9864", "127.0.0.1:" + cluster.info(files, WITH).getInfoPort());
            Await.until("the counters", () -> get(metrics).matches("(?s).*\"ThreadsReceive\" : [1-9].*"));
            assertThat(get(metrics)).contains("\"Failures\" : 0");
        }
        Await.until(
                "the end of the block's threads",
                () -> masks(node, "DataXceiver for").isEmpty());
        assertThat(finding(doctor(node), "datanode-threads"))
                .contains("\"info\"")
                .contains("no block is being transferred");
    }

    @Test
    void saysWhatADataNodeWithoutTheHooksLacks() throws Exception {
        Command doctor = doctor(cluster.dataNode(WITHOUT));

        // All daemons of the cluster have the class path of the test; of classes in folders nothing is to be seen.
        if (System.getProperty("java.class.path").contains("berth-hdfs-")) {
            assertThat(finding(doctor, "datanode-plugin"))
                    .contains("\"warning\"")
                    .contains("the plugin does not run")
                    .contains("dfs.datanode.plugins");
            assertThat(doctor.exitCode()).isEqualTo(1);
        } else {
            assertThat(finding(doctor, "datanode-plugin")).contains("\"info\"").contains("without Berth");
        }
        assertThat(finding(doctor, "datanode-threads")).isEmpty();
        assertThat(finding(doctor(cluster.nameNode()), "datanode-plugin")).isEmpty();
    }

    @Test
    void servesItsBlocksAfterTheRollBack() throws Exception {
        byte[] content = new byte[1 << 20];
        new Random(1).nextBytes(content);
        try (DistributedFileSystem files = cluster.connect()) {
            try (FSDataOutputStream out = openBlock(files, WITH, "/kept")) {
                out.write(content);
            }
            restart(Map.of());

            try (FSDataInputStream in = files.open(new org.apache.hadoop.fs.Path("/kept"))) {
                assertThat(in.readAllBytes()).isEqualTo(content);
            }
        }
        assertThat(contains(cluster.log("datanode" + WITH), "Berth"))
                .as("a word of Berth")
                .isFalse();
        assertThat(masks(cluster.dataNode(WITH), "berth-upkeep")).isEmpty();
        // For the other tests, in whatever order they run.
        restart(hooks);
        awaitPlugin();
    }

    private static void restart(Map<String, String> settings) throws Exception {
        ProcessHandle node = cluster.dataNode(WITH);
        node.destroy();
        node.onExit().get(2, TimeUnit.MINUTES);
        cluster.restartDataNode(WITH, settings);
    }

    private static Command doctor(ProcessHandle process) throws IOException, InterruptedException {
        Command doctor = Command.berth("doctor", Long.toString(process.pid()), "--json");
        assertThat(doctor.out()).contains("berth-doctor");
        return doctor;
    }

    /** The object of one finding; empty when there is none. */
    private static String finding(Command doctor, String check) {
        Matcher finding = Pattern.compile("\\{[^{}]*\"" + check + "\"[^{}]*\\}").matcher(doctor.out());
        return finding.find() ? finding.group() : "";
    }

    private static FSDataOutputStream openBlock(DistributedFileSystem files, int dataNode, String file)
            throws IOException {
        DatanodeInfo node = cluster.info(files, dataNode);
        FSDataOutputStream out = files.create(
                new org.apache.hadoop.fs.Path(file),
                FsPermission.getFileDefault(),
                true,
                4096,
                (short) 1,
                8 << 20,
                null,
                new InetSocketAddress[] {new InetSocketAddress(node.getIpAddr(), node.getXferPort())});
        return out;
    }

    private static String get(String address) {
        try (InputStream in = URI.create(address).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<Integer, String> masks(ProcessHandle process, String name) {
        return ProcStatus.masks(process.pid(), name::equals);
    }

    private static boolean contains(Path file, String text) {
        try {
            return Files.readString(file).contains(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
