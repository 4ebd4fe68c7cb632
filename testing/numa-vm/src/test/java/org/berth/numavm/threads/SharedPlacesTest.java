package org.berth.numavm.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJvm;
import org.berth.numavm.NumaMaps;
import org.berth.oracle.ProcStatus;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** JVMs that are started at once and told only the kind of place: the kernel shows where each one is. */
@Tag(Guest.TAG)
@Tag("leases")
class SharedPlacesTest {
    private final Topology machine = Guest.topology();

    @Test
    void jvmsStartedAtOnceSpreadEvenlyOverNodes() throws Exception {
        evenly("numa", nodes().keySet(), 2);
    }

    @Test
    void jvmsStartedAtOnceSpreadEvenlyOverPackages() throws Exception {
        Set<String> packages = cpusOf(ObjectType.PACKAGE);
        assumeThat(packages).as("places that are not the nodes").isNotEqualTo(nodes().keySet());
        evenly("package", packages, 1);
    }

    @Test
    void jvmsStartedAtOnceSpreadEvenlyOverCores() throws Exception {
        evenly("core:1", cpusOf(ObjectType.CORE), 1);
    }

    @Test
    @EnabledIf("org.berth.numavm.Guest#hasCachesInNodes")
    void jvmsStartedAtOnceSpreadEvenlyOverCaches() throws Exception {
        evenly("l3", cpusOf(ObjectType.L3_CACHE), 1);
    }

    /** The nodes by their CPUs. */
    private Map<String, Integer> nodes() {
        Map<String, Integer> nodes = new TreeMap<>();
        for (int node : machine.nodeSet().toArray()) {
            nodes.put(machine.numaNode(node).orElseThrow().cpuSet().toString(), node);
        }
        return nodes;
    }

    /** The sets that the kernel's own files and the model agree upon, see NodesOfTheMachineTest. */
    private Set<String> cpusOf(ObjectType type) {
        return machine.objects(type).stream()
                .map(object -> object.cpuSet().toString())
                .collect(Collectors.toSet());
    }

    private GuestJvm jvm(String options) {
        return GuestJvm.with(List.of("-XX:+UseSerialGC")).option("-agentpath:" + Guest.library() + "=" + options);
    }

    private void evenly(String domain, Set<String> places, int few) throws Exception {
        Path ledger = Files.createTempDirectory("leases");
        int each = places.size() > 4 ? 1 : few;
        List<GuestJvm> commands = new ArrayList<>();
        for (int i = 0; i < each * places.size(); i++) {
            commands.add(jvm("domain=" + domain + ",select=free,strict,leases=" + ledger));
        }
        GuestJvm.together(commands, jvms -> {
            Map<String, Integer> users = new TreeMap<>();
            for (GuestJvm.Running jvm : jvms) {
                assertThat(jvm.messages()).as("lines of the agent").isEqualTo(List.of());
                Set<String> masks = ProcStatus.settledMasks(jvm.pid());
                assertThat(masks.size()).as("masks of one JVM " + masks).isEqualTo(1);
                users.merge(masks.iterator().next(), 1, Integer::sum);
            }
            assertThat(users.keySet()).as("places").isEqualTo(places);
            assertThat(Set.copyOf(users.values()))
                    .as("JVMs in each of " + users)
                    .isEqualTo(Set.of(each));
        });
    }

    @Test
    void exclusiveNodesAreGivenOnceEachWithTheirMemoryAndComeBack() throws Exception {
        Map<String, Integer> nodes = nodes();
        Path ledger = Files.createTempDirectory("leases");
        String options = "domain=numa,select=exclusive,memory=bind,leases=" + ledger;
        List<GuestJvm> commands = new ArrayList<>();
        for (int i = 0; i <= nodes.size(); i++) {
            commands.add(jvm(options));
        }
        String all = machine.cpuSet().toString();
        GuestJvm.together(commands, jvms -> {
            Map<String, Integer> users = new TreeMap<>();
            for (GuestJvm.Running jvm : jvms) {
                String mask = ProcStatus.settledMasks(jvm.pid()).iterator().next();
                boolean placed = jvm.messages().isEmpty();
                users.merge(placed ? mask : "unbound " + mask, 1, Integer::sum);
                if (placed) {
                    assertThat(NumaMaps.anonymous(jvm.pid()).keySet())
                            .as("nodes of the pages of a JVM on CPUs " + mask)
                            .isEqualTo(Set.of(nodes.get(mask)));
                }
            }
            Map<String, Integer> expected = new TreeMap<>();
            nodes.keySet().forEach(mask -> expected.put(mask, 1));
            expected.put("unbound " + all, 1);
            assertThat(users).as("JVMs in each node").isEqualTo(expected);
        });
        GuestJvm.together(
                List.of(jvm(options + ",strict")),
                jvms -> assertThat(nodes.containsKey(
                                ProcStatus.settledMasks(jvms.get(0).pid())
                                        .iterator()
                                        .next()))
                        .as("a node is free again")
                        .isTrue());
    }
}
