package org.berth.numavm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.berth.oracle.ProcStatus;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;

/** JVMs that are started at once and told only the kind of place: the kernel shows where each one is. */
final class SharingChecks {
    private final Checks checks;
    private final Topology machine;
    private final Path library;

    private SharingChecks(Checks checks, Topology machine, Path library) {
        this.checks = checks;
        this.machine = machine;
        this.library = library;
    }

    static void run(Checks checks, Topology machine, Path library) {
        SharingChecks sharing = new SharingChecks(checks, machine, library);
        Map<String, Integer> nodes = new TreeMap<>();
        for (int node : machine.nodeSet().toArray()) {
            nodes.put(machine.numaNode(node).orElseThrow().cpuSet().toString(), node);
        }
        sharing.evenly("numa", nodes.keySet(), 2);
        sharing.evenly("package", cpusOf(machine, ObjectType.PACKAGE), 2);
        sharing.evenly("core:1", cpusOf(machine, ObjectType.CORE), 2);
        if (machine.count(ObjectType.L3_CACHE) > nodes.size()) {
            sharing.evenly("l3", cpusOf(machine, ObjectType.L3_CACHE), 1);
        }
        sharing.exclusively(nodes);
    }

    /** The sets that the kernel's own files and the model agree upon, see TopologyChecks. */
    private static Set<String> cpusOf(Topology machine, ObjectType type) {
        return machine.objects(type).stream()
                .map(object -> object.cpuSet().toString())
                .collect(Collectors.toSet());
    }

    private GuestJvm jvm(String options) {
        return GuestJvm.with(List.of("-XX:+UseSerialGC")).option("-agentpath:" + library + "=" + options);
    }

    private void evenly(String domain, Set<String> places, int few) {
        checks.check("JVMs started at once with domain=" + domain + " spread evenly over " + places.size(), () -> {
            Path ledger = Files.createTempDirectory("leases");
            int each = places.size() > 4 ? 1 : few;
            List<GuestJvm> commands = new ArrayList<>();
            for (int i = 0; i < each * places.size(); i++) {
                commands.add(jvm("domain=" + domain + ",select=free,strict,leases=" + ledger));
            }
            GuestJvm.together(commands, jvms -> {
                Map<String, Integer> users = new TreeMap<>();
                for (GuestJvm.Running jvm : jvms) {
                    Checks.same("lines of the agent", List.of(), jvm.messages());
                    Set<String> masks = ProcStatus.settledMasks(jvm.pid());
                    Checks.same("masks of one JVM " + masks, 1, masks.size());
                    users.merge(masks.iterator().next(), 1, Integer::sum);
                }
                Checks.same("places", places, users.keySet());
                Checks.same("JVMs in each of " + users, Set.of(each), Set.copyOf(users.values()));
            });
        });
    }

    private void exclusively(Map<String, Integer> nodes) {
        checks.check("exclusive nodes are given once each, with their memory, and come back", () -> {
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
                        Checks.same(
                                "nodes of the pages of a JVM on CPUs " + mask,
                                Set.of(nodes.get(mask)),
                                NumaMaps.anonymous(jvm.pid()).keySet());
                    }
                }
                Map<String, Integer> expected = new TreeMap<>();
                nodes.keySet().forEach(mask -> expected.put(mask, 1));
                expected.put("unbound " + all, 1);
                Checks.same("JVMs in each node", expected, users);
            });
            GuestJvm.together(
                    List.of(jvm(options + ",strict")),
                    jvms -> Checks.holds(
                            "a node is free again",
                            nodes.containsKey(
                                    ProcStatus.settledMasks(jvms.get(0).pid())
                                            .iterator()
                                            .next())));
        });
    }
}
