package org.berth.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.berth.binding.NativeLibrary;
import org.berth.cluster.YarnCluster;
import org.berth.yarn.WordCount.Seen;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Containers of a real cluster. One ResourceManager for all tests; those that kill the NodeManager come last. */
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ContainersTest {
    private static final List<String> JVM = List.of("-Xmx192m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    @TempDir
    static Path folder;

    private static Ledger ledger;
    private static YarnCluster cluster;
    private static YarnClient client;

    @BeforeAll
    static void start() throws IOException {
        ledger = new Ledger(folder.resolve("leases"));
        cluster =
                YarnCluster.start(Files.createDirectory(folder.resolve("cluster")), JVM, Map.of(), settings(Map.of()));
        client = cluster.connect();
    }

    /** Twice as many vcores as this machine has cores, so that a container's share is one core at most. */
    private static Map<String, String> settings(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "yarn.nodemanager.container-state-transition-listener.classes",
                AffinityListener.class.getName(),
                "yarn.nodemanager.resource.cpu-vcores",
                Integer.toString(2 * Math.max(4, Runtime.getRuntime().availableProcessors())),
                "yarn.nodemanager.aux-services",
                "mapreduce_shuffle",
                "mapreduce.shuffle.port",
                "0",
                "yarn.nodemanager.recovery.enabled",
                "true",
                "yarn.nodemanager.recovery.supervised",
                "true",
                "yarn.nodemanager.recovery.dir",
                folder.resolve("recovery").toString(),
                YarnSettings.DOMAIN,
                "core:1",
                YarnSettings.LEASES,
                folder.resolve("leases").toString()));
        settings.putAll(more);
        return settings;
    }

    @AfterAll
    static void stop() throws IOException {
        if (client != null) {
            client.close();
        }
        if (cluster != null) {
            cluster.close();
        }
        // What a failed test has left.
        for (long pid : Tasks.pids()) {
            if (Tasks.commandLine(pid).contains(folder.toString())) {
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    private static Path log(int nodeManager) {
        return cluster.log("nodemanager" + nodeManager);
    }

    @Test
    @Order(1)
    void shouldGiveEachContainerOfAnUnmodifiedJobItsPlaceFromBirth() throws Exception {
        WordCount job = new WordCount(Files.createDirectory(folder.resolve("job")), ledger);
        Map<String, Seen> containers = job.run(cluster.client(), "");
        assertThat(job.result()).containsEntry("every", 4).containsEntry("0", 1).containsEntry("thread", 2);
        assertThat(containers.values()).extracting(Seen::main).contains("MRAppMaster", "YarnChild", "YarnChild");
        String all = Tasks.ownMask();
        containers.forEach((name, seen) -> {
            assertThat(seen.allMasks()).as(name + " at every look").hasSize(1).doesNotContain(all);
            assertThat(seen.leases()).as("lease of " + name).isEqualTo(seen.allMasks());
        });
        Application.await("the end of all leases", () -> ledger.held().isEmpty());
        assertThat(Application.berthLines(log(0)))
                .noneMatch(line -> line.startsWith("WARN"))
                .anyMatch(line -> line.contains("each container one core:1"));
    }

    @Test
    @Order(2)
    void shouldSpreadContainersAndLetThemShareWhenAllIsTaken() throws Exception {
        int cores = cores();
        Application[] applications = new Application[cores + 1];
        for (int i = 0; i < applications.length; i++) {
            applications[i] = Application.start(client, folder, 1);
        }
        Map<String, String> held = ledger.held();
        assertThat(held).hasSize(cores + 1);
        assertThat(Set.copyOf(held.values())).as("cores that are used").hasSize(cores);
        for (Application application : applications) {
            String cpus = held.get(application.container());
            assertThat(Tasks.masks(application.pid())).containsExactly(cpus);
            assertThat(Tasks.masks(application.child()))
                    .as("what a container starts")
                    .containsExactly(cpus);
            awaitLine(0, application.container() + " (1 vcores) holds core of CPUs " + cpus);
        }
        for (Application application : applications) {
            application.kill();
        }
        assertThat(ledger.held()).isEmpty();
    }

    /** Here a core is an lscpu(1) core that this process may use. */
    private static int cores() throws IOException {
        Process lscpu = new ProcessBuilder("lscpu", "--online", "--parse=core,socket,cpu").start();
        Set<Integer> allowed = new TreeSet<>();
        for (String range : Tasks.ownMask().split(",", -1)) {
            String[] ends = range.split("-", -1);
            for (int cpu = Integer.parseInt(ends[0]); cpu <= Integer.parseInt(ends[ends.length - 1]); cpu++) {
                allowed.add(cpu);
            }
        }
        try (Stream<String> lines = lscpu.inputReader().lines()) {
            long cores = lines.filter(line -> !line.startsWith("#"))
                    .filter(line -> allowed.contains(Integer.valueOf(line.substring(line.lastIndexOf(',') + 1))))
                    .map(line -> line.substring(0, line.lastIndexOf(',')))
                    .distinct()
                    .count();
            Assumptions.assumeTrue(cores > 1 && cores <= 32, "from 2 to 32 cores can be told apart here, not " + cores);
            return (int) cores;
        }
    }

    private static void awaitLine(int nodeManager, String text) {
        Application.await(
                "'" + text + "' in the log",
                () -> Application.berthLines(log(nodeManager)).stream().anyMatch(line -> line.contains(text)));
    }

    @Test
    @Order(3)
    void shouldKeepThePlacesOfContainersThatOutliveTheNodeManager() throws Exception {
        Application recovered = Application.start(client, folder, 1);
        Application killed = Application.start(client, folder, 1);
        Map<String, String> held = ledger.held();
        assertThat(held).containsOnlyKeys(recovered.container(), killed.container());
        cluster.killNodeManager();
        assertThat(ledger.held()).as("leases without a NodeManager").isEqualTo(held);
        killed.killProcesses();
        Application.await(
                "the end of a lease that nobody waits for", () -> ledger.held().size() == 1);
        cluster.startNodeManager(settings(Map.of()));
        awaitLine(1, recovered.container() + " (1 vcores) holds ");
        assertThat(recovered.isAlive()).isTrue();
        assertThat(ledger.held()).containsExactly(Map.entry(recovered.container(), held.get(recovered.container())));
        recovered.kill();
        assertThat(ledger.held()).isEmpty();
        assertThat(Application.berthLines(log(1))).noneMatch(line -> line.startsWith("WARN"));
    }

    @Test
    @Order(4)
    void shouldBindFromOutsideWhatIsNotBornInAPlace() throws Exception {
        cluster.killNodeManager();
        cluster.startNodeManager(settings(Map.of(YarnSettings.BIND, "outside")));
        String all = Tasks.ownMask();
        Application application = Application.start(client, folder, 1);
        awaitLine(2, application.container() + " (1 vcores) was bound from outside to core of CPUs ");
        String cpus = ledger.held().get(application.container());
        assertThat(cpus).isNotNull().isNotEqualTo(all);
        assertThat(Tasks.masks(application.pid())).containsExactly(cpus);
        assertThat(Tasks.masks(application.child())).containsExactly(cpus);
        cluster.killNodeManager();
        assertThat(ledger.held()).as("held without a NodeManager").containsEntry(application.container(), cpus);
        application.killProcesses();
        Application.await("the end of the lease", () -> ledger.held().isEmpty());
    }

    @Test
    @Order(5)
    void shouldRunContainersUnboundWhenASettingMakesNoSenseAndTheAgentInTaskOptionsAlone() throws Exception {
        cluster.killNodeManager();
        cluster.startNodeManager(settings(Map.of(YarnSettings.DOMAIN, "socket")));
        WordCount job = new WordCount(Files.createDirectory(folder.resolve("job2")), ledger);
        Map<String, Seen> containers = job.run(
                cluster.client(),
                "-agentpath:" + NativeLibrary.file() + "=domain=core:1,leases=" + ledger.directory() + ",name=map");
        assertThat(job.result()).containsEntry("every", 4);
        String all = Tasks.ownMask();
        assertThat(containers.values())
                .filteredOn(seen -> seen.main().equals("MRAppMaster"))
                .singleElement()
                .satisfies(seen -> assertThat(seen.allMasks()).containsExactly(all));
        // A task's JVM starts once more, in its place; a reducer is seen here too, unbound.
        assertThat(containers.values())
                .filteredOn(seen ->
                        seen.lastMasks().size() == 1 && !seen.lastMasks().contains(all))
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(seen -> assertThat(seen.main()).isEqualTo("YarnChild"));
        Application.await("the end of all leases", () -> ledger.held().isEmpty());
        assertThat(Application.berthLines(log(3)))
                .singleElement()
                .asString()
                .startsWith("WARN ")
                .contains("all containers of this NodeManager run unbound: berth.yarn.domain is 'socket': give auto");
    }
}
