package org.berth.numavm.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import org.berth.binding.Binder;
import org.berth.cluster.HdfsCluster;
import org.berth.numavm.BusyCores;
import org.berth.numavm.Guest;
import org.berth.numavm.Nodes;
import org.berth.numavm.devices.GuestDisk;
import org.berth.numavm.devices.GuestNic;
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A real NameNode and DataNode, its volumes on the disk near the first node, its client beyond the NIC, which is near the
 * last: the threads that receive blocks are looked at while packets come in.
 */
@SuppressWarnings("try") // an interrupt while it waits for load to end is an end
@Tag(Guest.TAG)
@Tag("hadoop")
class DataNodeOnNodesTest {
    private static final List<String> JVM = List.of("-Xmx192m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    /** One block; half of it comes while the threads are looked at. */
    private static final int BYTES = 8 << 20;
    /** Uploads until the load of the guest's own lets the place be what it must. */
    private static final int MOST_UPLOADS = 12;

    private static final String RESPONDER = "PacketResponder";

    private final Binder binder = Guest.binder();
    private int uploads;

    /** What a test looks at. */
    private record Parts(HdfsCluster cluster, HostClient client, GuestDisk disk, int nicCpu) {}

    @Test
    void threadsThatReceiveStandByTheDiskAndOffTheCoreOfTheNicAsThePolicySays() throws Exception {
        Path folder = Files.createTempDirectory("hdfs");
        int nicNode = Nodes.ofDevice("net/" + GuestNic.NAME);
        GuestDisk disk = GuestDisk.near(0);
        assertThat(nicNode != disk.node())
                .as("disk and NIC are both near node " + nicNode)
                .isTrue();
        disk.interruptAtHome(Guest.topology().cpuSet());
        // Where HdfsCluster puts the volumes of its first DataNode.
        disk.mount(folder.resolve("data0"));
        try (GuestNic nic = new GuestNic(binder);
                HostClient client = HostClient.connect()) {
            int nicCpu = Nodes.cpus(nicNode).last();
            nic.interruptAt(nicCpu);
            List<String> ports = HostClient.forwardedPorts();
            Map<String, String> settings = hooks("interrupt", ports.get(1));
            try (HdfsCluster cluster = HdfsCluster.start(folder, 1, JVM, everywhere(ports.get(0)), settings)) {
                Parts parts = new Parts(cluster, client, disk, nicCpu);
                whatTheDataNodeSaysIsWhatTheKernelSays(parts);
                whileNothingElseRunsTheyStandAtTheDisksCore(parts);
                whileThatCoreIsBusyTheyStandElsewhereByTheDisk(parts);
                byThePolicyNodeTheyStandOnTheDisksNode(parts, ports.get(2));
            } finally {
                print(folder.resolve("datanode0.log"));
            }
        }
    }

    private void whatTheDataNodeSaysIsWhatTheKernelSays(Parts parts) throws Exception {
        awaitPlugin(parts, "interrupt");
        String said = pluginLine(parts);
        assertThat(said.contains(" on " + parts.disk().name() + ", interrupts at CPUs "
                        + parts.disk().interruptCpus()))
                .as(said)
                .isTrue();
        assertThat(said.contains("network adapter eth0, interrupts at CPUs " + parts.nicCpu()))
                .as(said)
                .isTrue();
    }

    private void whileNothingElseRunsTheyStandAtTheDisksCore(Parts parts) throws Exception {
        LoggedDecision last = upload(parts);
        for (int i = 0; i < MOST_UPLOADS && !last.kind().equals("[DS]"); i++) {
            last = upload(parts);
        }
        assertThat(last.kind())
                .as("class of the last of " + uploads + " uploads")
                .isEqualTo("[DS]");
    }

    private void whileThatCoreIsBusyTheyStandElsewhereByTheDisk(Parts parts) throws Exception {
        try (BusyCores busy = new BusyCores(binder)) {
            CpuSet core = Nodes.core(parts.disk().interruptCpus().first());
            busy.add(core);
            LoggedDecision last = upload(parts);
            for (int i = 0; i < MOST_UPLOADS && CpuSet.parseList(last.cpus()).intersects(core); i++) {
                last = upload(parts);
            }
            assertThat(CpuSet.parseList(last.cpus()).intersects(core))
                    .as("the last of " + uploads + " uploads was at " + last.cpus())
                    .isFalse();
        }
    }

    private void byThePolicyNodeTheyStandOnTheDisksNode(Parts parts, String nextPort) throws Exception {
        // It is started with a log of its own.
        print(parts.cluster().log("datanode0"));
        ProcessHandle former = parts.cluster().dataNode(0);
        former.destroyForcibly();
        former.onExit().join();
        parts.cluster().restartDataNode(0, hooks("node", nextPort));
        awaitPlugin(parts, "node");
        assertThat(look(parts).cpus())
                .as("CPUs")
                .isEqualTo(Nodes.cpus(parts.disk().node()).toString());
    }

    /** An upload by the policy of the paper; what was decided for it. */
    private LoggedDecision upload(Parts parts) throws Exception {
        LoggedDecision decision = look(parts);
        assertThat(decision.device()).as("disk").isEqualTo(parts.disk().name());
        int connection = Integer.parseInt(decision.connectionCpu());
        assertThat(Nodes.cpus(Nodes.ofDevice("net/" + GuestNic.NAME)).contains(connection))
                .as("packets come to CPU " + connection)
                .isTrue();
        CpuSet cpus = CpuSet.parseList(decision.cpus());
        assertThat(cpus.intersects(Nodes.core(connection)))
                .as("[NS] in " + cpus + ", packets come to CPU " + connection)
                .isFalse();
        if (!decision.kind().equals("-")) {
            char relation =
                    Nodes.relation(cpus.first(), parts.disk().interruptCpus().first());
            assertThat(decision.kind()).as("class of " + cpus).isEqualTo("[D" + relation + "]");
        }
        return decision;
    }

    /** One file; masks as the kernel shows them when half of it is there, and while the rest comes in. */
    private LoggedDecision look(Parts parts) throws Exception {
        int before = received(parts).size();
        parts.client().begin("/file-" + ++uploads, BYTES);
        List<LoggedDecision> received = received(parts);
        assertThat(received.size() - before).as("decisions for one block").isEqualTo(1);
        LoggedDecision decision = received.get(before);
        long node = parts.cluster().dataNode(0).pid();
        assertThat(mask(node, decision.tid()))
                .as("mask of the thread that receives")
                .isEqualTo(decision.cpus());
        List<Integer> responders = responders(node);
        assertThat(responders.size()).as("threads that answer").isEqualTo(1);
        assertThat(mask(node, responders.get(0))).as("mask of the one").isEqualTo(decision.cpus());
        FutureTask<Boolean> rest = new FutureTask<>(parts.client()::finish, true);
        Thread finishing = new Thread(rest);
        finishing.start();
        Set<String> masks = new TreeSet<>();
        int looks = 0;
        while (!rest.isDone()) {
            String mask = mask(node, decision.tid());
            // When the block is complete both threads end, or wait for other work.
            if (responders(node).equals(responders)) {
                masks.add(mask);
                looks++;
            }
            Thread.sleep(20);
        }
        rest.get();
        assertThat(masks)
                .as("masks at " + looks + " looks while the block came in")
                .isEqualTo(Set.of(decision.cpus()));
        System.out.println("guest: " + decision + ", seen " + looks + " times");
        return decision;
    }

    private static String mask(long pid, int tid) {
        return ProcStatus.find(pid, tid).map(ProcStatus::cpus).orElse("");
    }

    private static List<Integer> responders(long pid) {
        return List.copyOf(ProcStatus.masks(pid, RESPONDER::equals).keySet());
    }

    private List<LoggedDecision> received(Parts parts) throws IOException {
        return LoggedDecision.received(parts.cluster().home(0).resolve("decisions"));
    }

    private void awaitPlugin(Parts parts, String policy) {
        Await.until(
                "the plugin with the policy " + policy, () -> pluginLine(parts).contains("policy " + policy));
    }

    private String pluginLine(Parts parts) throws IOException {
        return Files.readAllLines(parts.cluster().log("datanode0")).stream()
                .filter(line -> line.contains("Berth: policy"))
                .findFirst()
                .orElse("");
    }

    private static Map<String, String> everywhere(String nameNodePort) {
        return Map.of(
                "dfs.replication", "1",
                "dfs.blocksize", "16m",
                "dfs.namenode.rpc-address", "127.0.0.1:" + nameNodePort,
                // The host's client comes in through the NIC.
                "dfs.namenode.rpc-bind-host", "0.0.0.0",
                "dfs.permissions.enabled", "false",
                "hadoop.security.group.mapping", "org.apache.hadoop.security.NullGroupsMapping");
    }

    private static Map<String, String> hooks(String policy, String port) {
        Map<String, String> settings = new HashMap<>();
        settings.put("dfs.datanode.plugins", "org.berth.hdfs.HdfsAffinityPlugin");
        settings.put("dfs.datanode.fsdataset.volume.choosing.policy", "org.berth.hdfs.AffinityVolumePolicy");
        settings.put("dfs.datanode.address", "0.0.0.0:" + port);
        settings.put("berth.hdfs.policy", policy);
        // The NameNode is on loopback here.
        settings.put("berth.hdfs.network", GuestNic.NAME);
        settings.put("berth.hdfs.decision.log", "HOME/decisions");
        return settings;
    }

    /** Its warnings, and what Berth says. */
    private static void print(Path log) throws IOException {
        if (Files.exists(log)) {
            Files.readAllLines(log).forEach(System.out::println);
        }
    }
}
