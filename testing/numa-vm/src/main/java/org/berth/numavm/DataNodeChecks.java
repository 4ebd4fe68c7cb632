package org.berth.numavm;

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
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;

/**
 * A real NameNode and DataNode, its volumes on the disk near the first node, its client beyond the NIC, which is near
 * the last: the threads that receive blocks are looked at while packets come in.
 */
@SuppressWarnings("try") // an interrupt while it waits for load to end is an end
final class DataNodeChecks {
    private static final List<String> JVM = List.of("-Xmx192m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    /** One block; half of it comes while the threads are looked at. */
    private static final int BYTES = 8 << 20;
    /** Uploads until the load of the guest's own lets the place be what it must. */
    private static final int MOST_UPLOADS = 12;

    private static final String RESPONDER = "PacketResponder";

    private final HdfsCluster cluster;
    private final HostClient client;
    private final GuestDisk disk;
    private final int nicCpu;
    private int uploads;

    private DataNodeChecks(HdfsCluster cluster, HostClient client, GuestDisk disk, int nicCpu) {
        this.cluster = cluster;
        this.client = client;
        this.disk = disk;
        this.nicCpu = nicCpu;
    }

    static void run(Checks checks, CpuSet all, Binder binder) {
        checks.check("a client beyond the NIC writes to a DataNode whose disk is near the other node", () -> {
            Path folder = Files.createTempDirectory("hdfs");
            int nicNode = Nodes.ofDevice("net/" + GuestNic.NAME);
            GuestDisk disk = GuestDisk.near(0);
            Checks.holds("disk and NIC are both near node " + nicNode, nicNode != disk.node());
            disk.interruptAtHome(all);
            // Where HdfsCluster puts the volumes of its first DataNode.
            disk.mount(folder.resolve("data0"));
            try (GuestNic nic = new GuestNic(binder);
                    HostClient client = HostClient.connect()) {
                int nicCpu = Nodes.cpus(nicNode).last();
                nic.interruptAt(nicCpu);
                List<String> ports = HostClient.forwardedPorts();
                Map<String, String> settings = hooks("interrupt", ports.get(1));
                try (HdfsCluster cluster = HdfsCluster.start(folder, 1, JVM, everywhere(ports.get(0)), settings)) {
                    DataNodeChecks node = new DataNodeChecks(cluster, client, disk, nicCpu);
                    node.policies(checks, binder, ports.get(2));
                } finally {
                    print(folder.resolve("datanode0.log"));
                }
            }
        });
    }

    private void policies(Checks checks, Binder binder, String nextPort) {
        checks.check("what the DataNode says of disk and NIC is what the kernel says", () -> {
            awaitPlugin("interrupt");
            String said = pluginLine();
            Checks.holds(said, said.contains(" on " + disk.name() + ", interrupts at CPUs " + disk.interruptCpus()));
            Checks.holds(said, said.contains("network adapter eth0, interrupts at CPUs " + nicCpu));
        });
        checks.check("threads that receive stand where the log says, by the disk and off the NIC's core", () -> {
            LoggedDecision last = upload();
            for (int i = 0; i < MOST_UPLOADS && !last.kind().equals("[DS]"); i++) {
                last = upload();
            }
            Checks.same("class of the last of " + uploads + " uploads", "[DS]", last.kind());
        });
        checks.check(
                "while the disk's interrupt core is busy they stand elsewhere by the disk, never at the NIC", () -> {
                    try (BusyCores busy = new BusyCores(binder)) {
                        CpuSet core = Nodes.core(disk.interruptCpus().first());
                        busy.add(core);
                        LoggedDecision last = upload();
                        for (int i = 0;
                                i < MOST_UPLOADS
                                        && CpuSet.parseList(last.cpus()).intersects(core);
                                i++) {
                            last = upload();
                        }
                        Checks.holds(
                                "the last of " + uploads + " uploads was at " + last.cpus(),
                                !CpuSet.parseList(last.cpus()).intersects(core));
                    }
                });
        checks.check("by the policy 'node' they stand on the disk's node", () -> {
            // It is started with a log of its own.
            print(cluster.log("datanode0"));
            ProcessHandle former = cluster.dataNode(0);
            former.destroyForcibly();
            former.onExit().join();
            cluster.restartDataNode(0, hooks("node", nextPort));
            awaitPlugin("node");
            Checks.same("CPUs", Nodes.cpus(disk.node()).toString(), look().cpus());
        });
    }

    /** An upload by the policy of the paper; what was decided for it. */
    private LoggedDecision upload() throws Exception {
        LoggedDecision decision = look();
        Checks.same("disk", disk.name(), decision.device());
        int connection = Integer.parseInt(decision.connectionCpu());
        Checks.holds(
                "packets come to CPU " + connection,
                Nodes.cpus(Nodes.ofDevice("net/" + GuestNic.NAME)).contains(connection));
        CpuSet cpus = CpuSet.parseList(decision.cpus());
        Checks.holds(
                "[NS] in " + cpus + ", packets come to CPU " + connection, !cpus.intersects(Nodes.core(connection)));
        if (!decision.kind().equals("-")) {
            char relation =
                    PolicyChecks.relation(cpus.first(), disk.interruptCpus().first());
            Checks.same("class of " + cpus, "[D" + relation + "]", decision.kind());
        }
        return decision;
    }

    /** One file; masks as the kernel shows them when half of it is there, and while the rest comes in. */
    private LoggedDecision look() throws Exception {
        int before = received().size();
        client.begin("/file-" + ++uploads, BYTES);
        List<LoggedDecision> received = received();
        Checks.same("decisions for one block", 1, received.size() - before);
        LoggedDecision decision = received.get(before);
        long node = cluster.dataNode(0).pid();
        Checks.same("mask of the thread that receives", decision.cpus(), mask(node, decision.tid()));
        List<Integer> responders = responders(node);
        Checks.same("threads that answer", 1, responders.size());
        Checks.same("mask of the one", decision.cpus(), mask(node, responders.get(0)));
        FutureTask<Boolean> rest = new FutureTask<>(client::finish, true);
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
        Checks.same("masks at " + looks + " samples while the block came in", Set.of(decision.cpus()), masks);
        System.out.println("guest: " + decision + ", seen " + looks + " times");
        return decision;
    }

    private static String mask(long pid, int tid) {
        return ProcStatus.find(pid, tid).map(ProcStatus::cpus).orElse("");
    }

    private static List<Integer> responders(long pid) {
        return List.copyOf(ProcStatus.masks(pid, RESPONDER::equals).keySet());
    }

    private List<LoggedDecision> received() throws IOException {
        return LoggedDecision.received(cluster.home(0).resolve("decisions"));
    }

    private void awaitPlugin(String policy) {
        Await.until("the plugin with the policy " + policy, () -> pluginLine().contains("policy " + policy));
    }

    private String pluginLine() throws IOException {
        return Files.readAllLines(cluster.log("datanode0")).stream()
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
