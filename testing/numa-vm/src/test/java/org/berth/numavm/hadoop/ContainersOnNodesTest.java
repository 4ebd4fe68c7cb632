package org.berth.numavm.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.berth.cluster.YarnCluster;
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJava;
import org.berth.numavm.GuestJvm;
import org.berth.numavm.Nodes;
import org.berth.numavm.NumaMaps;
import org.berth.oracle.Await;
import org.berth.oracle.ProcStatus;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers of a real ResourceManager and NodeManager, each with a JVM that waits: where the kernel has its threads and pages. */
@Tag(Guest.TAG)
@Tag("hadoop")
class ContainersOnNodesTest {
    private static final List<String> JVM = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    /** Vcores out of 16 for 8 CPUs: a share of one CPU, and of five, which no node has. */
    private static final int SMALL = 2;

    private static final int LARGE = 10;

    private final Topology machine = Guest.topology();

    @TempDir
    Path folder;

    @Test
    void containersAreDealtOutOverTheNodesAndALargeOneStaysFree() throws Exception {
        try (YarnCluster cluster = YarnCluster.start(
                        Files.createDirectory(folder.resolve("cluster")), JVM, everywhere(), listener(folder));
                YarnClient client = cluster.connect()) {
            List<Long> jvms = asManyAsNodesAreOnOneEach(client);
            List<Integer> before = nodesOf(jvms);
            requireOnOneNode(start(client, SMALL));
            assertThat(nodesOf(jvms))
                    .as("nodes of the others once one more came")
                    .isEqualTo(before);
            assertThat(ProcStatus.settledMasks(start(client, LARGE)))
                    .as("masks of a container that is larger than a node and a package")
                    .isEqualTo(Set.of(machine.cpuSet().toString()));
        } finally {
            print(folder.resolve("cluster/nodemanager0.log"));
        }
    }

    private List<Long> asManyAsNodesAreOnOneEach(YarnClient client) throws Exception {
        int nodes = machine.nodeSet().size();
        List<Long> jvms = new ArrayList<>();
        Set<Integer> used = new TreeSet<>();
        for (int i = 0; i < nodes; i++) {
            jvms.add(start(client, SMALL));
            used.add(requireOnOneNode(jvms.get(i)));
        }
        assertThat(used.size()).as("nodes that are used").isEqualTo(nodes);
        return jvms;
    }

    private List<Integer> nodesOf(List<Long> jvms) throws Exception {
        List<Integer> found = new ArrayList<>();
        for (long jvm : jvms) {
            found.add(requireOnOneNode(jvm));
        }
        return found;
    }

    private int requireOnOneNode(long jvm) throws Exception {
        Set<String> masks = ProcStatus.settledMasks(jvm);
        assertThat(masks.size()).as("number of masks of all threads " + masks).isEqualTo(1);
        int node = Nodes.ofMask(masks.iterator().next(), machine.nodeSet().size());
        assertThat(node >= 0).as("masks " + masks + " are no node's").isTrue();
        Map<Integer, Long> pages = NumaMaps.anonymous(jvm);
        System.out.println("guest: process " + jvm + " on CPUs " + masks + ", pages " + pages);
        assertThat(pages.keySet()).as("nodes of its pages").isEqualTo(Set.of(node));
        assertThat(pages.getOrDefault(node, 0L) > NumaMaps.pagesOf(GuestJvm.HEAP_BYTES))
                .as("only " + pages + " pages")
                .isTrue();
        return node;
    }

    /** An application of one container; returns its JVM, which has touched all of its heap. */
    private long start(YarnClient client, int vcores) throws Exception {
        ApplicationSubmissionContext context = client.createApplication().getApplicationSubmissionContext();
        ApplicationId id = context.getApplicationId();
        Path said = folder.resolve(id.toString());
        GuestJvm jvm = GuestJvm.with(List.of("-XX:+UseSerialGC"));
        List<String> command = new ArrayList<>(List.of("echo pid \\$\\$ >" + said + " && exec"));
        command.add(GuestJava.java());
        command.addAll(jvm.options());
        // Two shells read it: the one of the script that starts a container, and that of the command.
        String name = "'" + GuestJvm.Waiting.class.getName().replace("$", "\\$") + "'";
        command.addAll(List.of("-cp", GuestJvm.classes(), name));
        command.add(">>" + said + " 2>&1");
        context.setApplicationName("waiting");
        context.setResource(Resource.newInstance(256, vcores));
        context.setMaxAppAttempts(1);
        context.setAMContainerSpec(ContainerLaunchContext.newInstance(
                Map.of(), Map.of(), List.of(String.join(" ", command)), null, null, null));
        client.submitApplication(context);
        Await.until(
                "the JVM of " + id,
                () -> Files.exists(said) && Files.readAllLines(said).stream().anyMatch(GuestJvm::isReady));
        return Long.parseLong(Files.readAllLines(said).get(0).substring("pid ".length()));
    }

    private static Map<String, String> everywhere() {
        return Map.of(
                "hadoop.security.group.mapping", "org.apache.hadoop.security.NullGroupsMapping",
                "yarn.scheduler.maximum-allocation-vcores", Integer.toString(LARGE),
                // Its containers are no real ApplicationMasters, and the guest is slow.
                "yarn.am.liveness-monitor.expiry-interval-ms", "3600000",
                "yarn.nm.liveness-monitor.expiry-interval-ms", "3600000");
    }

    private static Map<String, String> listener(Path folder) {
        return Map.of(
                "yarn.nodemanager.container-state-transition-listener.classes", "org.berth.yarn.AffinityListener",
                "yarn.nodemanager.resource.cpu-vcores", "16",
                // It asks for an 'ls' and a 'find' of GNU's.
                "yarn.nodemanager.log-container-debug-info.enabled", "false",
                "berth.yarn.leases", folder.resolve("leases").toString());
    }

    /** Its warnings, and what Berth says. */
    private static void print(Path log) throws IOException {
        if (Files.exists(log)) {
            Files.readAllLines(log).forEach(System.out::println);
        }
    }
}
