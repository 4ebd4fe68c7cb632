package org.berth.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.berth.binding.NativeLibrary;
import org.berth.cluster.YarnCluster;
import org.berth.yarn.WordCount.Seen;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Containers of a real cluster. One ResourceManager for all tests, and NodeManagers with other settings one after the other,
 * so that the order counts.
 */
@Tag("cluster")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ContainersTest {
    /** Of tests that testing/yarn-3.4 runs, too. */
    private static final String EACH_HADOOP = "each-hadoop";

    private static final String ONE_JDK = "one-jdk";

    private static final Map<String, String> ALONE =
            Map.of(YarnSettings.SELECT, "exclusive", YarnSettings.STRICT, "true");

    private static final List<String> JVM = List.of("-Xmx192m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    /** Twice as many as this machine has logical CPUs, and more: over-committed. */
    private static final int VCORES = 2 * Math.max(4, Runtime.getRuntime().availableProcessors());

    @TempDir
    static Path folder;

    private static Ledger ledger;
    private static YarnCluster cluster;
    private static YarnClient client;
    private static String nodeManager = "nodemanager0";
    /** What the present NodeManager has beside the ordinary settings. */
    private static Map<String, String> present = Map.of();

    @BeforeAll
    static void start() throws IOException {
        Assumptions.assumeFalse(
                VersionInfo.getVersion().startsWith("3.4.") && Runtime.version().feature() >= 24,
                "Hadoop 3.4 calls Subject.getSubject, which JDK 24 and later refuse");
        ledger = new Ledger(folder.resolve("leases"));
        cluster = YarnCluster.start(
                Files.createDirectory(folder.resolve("cluster")),
                JVM,
                Map.of("yarn.scheduler.maximum-allocation-vcores", Integer.toString(VCORES)),
                settings(Map.of()));
        client = cluster.connect();
    }

    private static Map<String, String> settings(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "yarn.nodemanager.container-state-transition-listener.classes",
                AffinityListener.class.getName(),
                "yarn.nodemanager.resource.cpu-vcores",
                Integer.toString(VCORES),
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
                "cores",
                YarnSettings.LEASES,
                folder.resolve("leases").toString()));
        settings.putAll(more);
        return settings;
    }

    private static void restart(Map<String, String> more, String... jvmOptions) throws IOException {
        cluster.killNodeManager();
        nodeManager = cluster.startNodeManager(settings(more), jvmOptions);
        present = more;
    }

    /** A test that failed may have left none, or one of other settings. */
    private static void need(Map<String, String> more) throws IOException {
        if (!cluster.nodeManager().isAlive() || !present.equals(more)) {
            restart(more);
        }
    }

    @AfterEach
    @Timeout(180)
    void endWhatIsLeft() throws Exception {
        Application.endAll(client);
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

    private static List<String> lines() {
        return Application.berthLines(cluster.log(nodeManager));
    }

    private static List<String> warnings() {
        return lines().stream().filter(line -> line.startsWith("WARN")).toList();
    }

    private static void awaitLine(String text) {
        Application.await("'" + text + "' in the log", () -> lines().stream().anyMatch(line -> line.contains(text)));
    }

    @Test
    @Order(1)
    @Tag(EACH_HADOOP)
    void shouldGiveEachContainerOfAnUnmodifiedJobItsPlaceFromBirth() throws Exception {
        WordCount job = new WordCount(Files.createDirectory(folder.resolve("job")), ledger);
        Map<String, Seen> containers = job.run(cluster.client(), role -> "");
        assertThat(job.result()).containsEntry("every", 4).containsEntry("0", 1).containsEntry("thread", 2);
        assertThat(containers.values())
                .extracting(Seen::main)
                .containsExactlyInAnyOrder("MRAppMaster", "YarnChild", "YarnChild", "YarnChild");
        String all = Tasks.ownMask();
        containers.forEach((name, seen) -> {
            assertThat(seen.allMasks()).as(name + " at every look").hasSize(1).doesNotContain(all);
            assertThat(seen.leases()).as("lease of " + name).isEqualTo(seen.allMasks());
        });
        Application.await("the end of all leases", () -> ledger.held().isEmpty());
        assertThat(warnings()).isEmpty();
        assertThat(lines()).anyMatch(line -> line.contains("each container its share of the "));
    }

    @Test
    @Order(2)
    @Tag(EACH_HADOOP)
    void shouldSpreadContainersAndLetThemShareWhenAllIsTaken() throws Exception {
        int cores = Cores.all();
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
            awaitLine(application.container() + " (1 vcores) holds core of CPUs " + cpus + ": process "
                    + application.pid() + " on CPUs " + cpus + ", memory prefer:");
        }
        for (Application application : applications) {
            application.kill();
        }
        assertThat(ledger.held()).isEmpty();
    }

    @Test
    @Order(3)
    @Tag(EACH_HADOOP)
    void shouldGiveAContainerThatIsRelaunchedANewPlace() throws Exception {
        Application first = Application.start(client, folder, 1);
        String text = first.container() + " (1 vcores) holds ";
        awaitLine(text);
        assertThat(ledger.held("pid ")).containsExactly(Map.entry(first.container(), Long.toString(first.pid())));
        Application second = first.fail();
        assertThat(second.pid()).isNotEqualTo(first.pid());
        assertThat(ledger.held("pid ")).containsExactly(Map.entry(first.container(), Long.toString(second.pid())));
        assertThat(Tasks.masks(second.pid()))
                .containsExactly(ledger.cpus(first.container()))
                .doesNotContain(Tasks.ownMask());
        Application.await(
                "a second line",
                () -> lines().stream().filter(line -> line.contains(text)).count() == 2);
        second.kill();
        assertThat(ledger.held()).isEmpty();
    }

    @Test
    @Order(3)
    @Tag(EACH_HADOOP)
    void shouldGiveAContainerWhoseCommandIsReplacedANewPlace() throws Exception {
        try (ReplacedCommand application = ReplacedCommand.start(client, cluster.client(), folder)) {
            String text = application.container() + " (1 vcores) holds ";
            for (int command = 1; command <= 2; command++) {
                long pid = command == 1 ? application.run() : application.replace();
                int lines = command;
                Application.await(
                        "line " + lines,
                        () -> lines().stream()
                                        .filter(line -> line.contains(text))
                                        .count()
                                == lines);
                assertThat(ledger.held("pid ")).containsExactly(Map.entry(application.container(), Long.toString(pid)));
                assertThat(Tasks.masks(pid))
                        .containsExactly(ledger.cpus(application.container()))
                        .doesNotContain(Tasks.ownMask());
            }
        }
        Application.await("the end of its lease", () -> ledger.held().isEmpty());
    }

    @Test
    @Order(4)
    @Tag(ONE_JDK)
    void shouldGiveContainersOfSeveralVcoresTheirShareOfTheCoresAlthoughTheyNeedMoreThanThereAre() throws Exception {
        int cores = Cores.all();
        int needed = 0;
        for (int vcores : List.of(VCORES / 2 + 1, VCORES / 2 - 1)) {
            Application application = Application.start(client, folder, vcores);
            String cpus = ledger.cpus(application.container());
            int share = (vcores * cores + VCORES - 1) / VCORES;
            assertThat(Cores.in(cpus)).as(vcores + " of " + VCORES + " vcores").isEqualTo(share);
            assertThat(Tasks.masks(application.pid())).containsExactly(cpus);
            awaitLine(application.container() + " (" + vcores + " vcores) holds ");
            needed += share;
        }
        assertThat(needed).isGreaterThan(cores);
        for (String container : ledger.held().keySet()) {
            client.killApplication(ApplicationId.fromString(
                    container.replace("container", "application").replace("_01_000001", "")));
        }
        Application.await("the end of both", () -> ledger.held().isEmpty());
        assertThat(warnings()).isEmpty();
    }

    @Test
    @Order(5)
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
        restart(ALONE);
        awaitLine(recovered.container() + " (1 vcores) holds ");
        assertThat(recovered.isAlive()).isTrue();
        assertThat(ledger.held()).containsExactly(Map.entry(recovered.container(), held.get(recovered.container())));
        recovered.kill();
        assertThat(ledger.held()).isEmpty();
        assertThat(warnings()).isEmpty();
    }

    /** By the NodeManager of the test before. */
    @Test
    @Order(6)
    @Tag(ONE_JDK)
    void shouldShareWithNobodyAndFailAContainerWithoutAPlaceWhereThatIsAskedFor() throws Exception {
        need(ALONE);
        int cores = Cores.all();
        Application all = Application.start(client, folder, VCORES - 1);
        assertThat(Cores.in(ledger.cpus(all.container()))).isEqualTo(cores);
        assertThat(ledger.held("exclusive ")).containsEntry(all.container(), "yes");
        ApplicationId refused = Application.submit(client, folder, 1);
        Application.await("its failure", () -> state(refused) == YarnApplicationState.FAILED);
        assertThat(client.getApplicationReport(refused).getDiagnostics())
                .contains("\nberth: each of the " + cores + " domains is used by another JVM: './berth leases' shows");
        assertThat(ledger.held()).containsOnlyKeys(all.container());
        all.kill();
        Application alone = Application.start(client, folder, 1);
        assertThat(Tasks.masks(alone.pid()))
                .containsExactly(ledger.cpus(alone.container()))
                .doesNotContain(Tasks.ownMask());
        assertThat(ledger.held("exclusive ")).containsExactly(Map.entry(alone.container(), "yes"));
        alone.kill();
    }

    /** Its final status is that of its attempt, which is there before the diagnostics are. */
    private static YarnApplicationState state(ApplicationId id) {
        try {
            return client.getApplicationReport(id).getYarnApplicationState();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Order(7)
    @Tag(ONE_JDK)
    void shouldTellOfAContainerThatDoesNotStartAndRunUnboundWhatTheLauncherCannot() throws Exception {
        Path launcher = folder.resolve("berth-exec");
        Path go = folder.resolve("go");
        Files.writeString(
                launcher,
                "#!/bin/sh\nwhile [ ! -e " + go + " ]; do sleep 0.1; done\nexec " + NativeLibrary.launcher()
                        + " \"$@\"\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        restart(Map.of(YarnSettings.LAUNCHER, launcher.toString(), YarnSettings.PATIENCE, "1"));
        ApplicationId slow = Application.submit(client, folder, 1);
        awaitLine(Application.container(slow) + " did not start its command in 1 seconds: nobody looks where it is");
        Files.createFile(go);
        Application late = Application.running(client, slow, folder);
        assertThat(Tasks.masks(late.pid()))
                .containsExactly(ledger.cpus(late.container()))
                .doesNotContain(Tasks.ownMask());
        late.kill();
        assertThat(warnings()).hasSize(1);

        // One that waits for as long as it takes.
        restart(Map.of(YarnSettings.LAUNCHER, launcher.toString()));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rw-r--r--"));
        Application unbound = Application.start(client, folder, 1);
        assertThat(Tasks.masks(unbound.pid())).containsExactly(Tasks.ownMask());
        awaitLine(unbound.container() + " runs unbound: Cannot run program \"" + launcher + "\"");
        assertThat(warnings()).hasSize(1);
        Path error = folder.resolve("cluster/logs/" + unbound.id() + "/" + unbound.container() + "/prelaunch.err");
        assertThat(error)
                .content()
                .startsWith("berth: " + launcher + " cannot be run here, or ")
                .endsWith("this container runs unbound\n")
                .hasLineCount(1);
        assertThat(ledger.held()).isEmpty();
        unbound.kill();
    }

    @Test
    @Order(8)
    void shouldBindFromOutsideWhatIsNotBornInAPlace() throws Exception {
        restart(Map.of(YarnSettings.BIND, "outside"));
        String all = Tasks.ownMask();
        Application application = Application.start(client, folder, 1);
        awaitLine(application.container() + " (1 vcores) was bound from outside to core of CPUs ");
        String cpus = ledger.cpus(application.container());
        assertThat(cpus).isNotEqualTo(all);
        assertThat(lines()).anyMatch(line -> line.endsWith(" on CPUs " + cpus + ", memory default"));
        assertThat(Tasks.masks(application.pid())).containsExactly(cpus);
        assertThat(Tasks.masks(application.child())).containsExactly(cpus);
        cluster.killNodeManager();
        assertThat(ledger.held()).as("held without a NodeManager").containsEntry(application.container(), cpus);
        application.killProcesses();
        Application.await("the end of the lease", () -> ledger.held().isEmpty());
    }

    /** For an administrator who may not change the NodeManager; the lines are those of docs/engines/yarn.md. */
    @Test
    @Order(9)
    void shouldRunContainersUnboundWhenASettingMakesNoSenseAndTheAgentInTaskOptionsAlone() throws Exception {
        String agent = "-agentpath:" + NativeLibrary.file() + "=";
        String daemon = agent + "domain=core:" + Cores.all() + ",preset=yarn,name=nodemanager,leases=";
        restart(Map.of(YarnSettings.DOMAIN, "socket"), daemon + folder.resolve("daemons"));
        String all = Tasks.ownMask();
        long pid = cluster.nodeManager().pid();
        for (String name : List.of("IPC Server hand", "IPC Server list")) {
            Application.await(name, () -> !Tasks.masks(pid, name).isEmpty());
        }
        assertThat(Tasks.masks(pid, "IPC Server hand"))
                .as("handlers of the NodeManager")
                .isNotEmpty()
                .allMatch(mask -> mask.matches("\\d+"));
        assertThat(Tasks.masks(pid, "IPC Server list")).isNotEmpty().containsOnly(all);
        assertThat(new Ledger(folder.resolve("daemons")).held()).containsExactly(Map.entry("nodemanager", all));

        UnaryOperator<String> task =
                role -> agent + "domain=core:1,memory=prefer,leases=" + ledger.directory() + ",name=" + role;
        WordCount job = new WordCount(Files.createDirectory(folder.resolve("job2")), ledger);
        Map<String, Seen> containers = job.run(cluster.client(), task);
        assertThat(job.result()).containsEntry("every", 4);
        // A JVM starts once more, in its place.
        assertThat(containers.values())
                .hasSize(4)
                .allSatisfy(seen ->
                        assertThat(seen.lastMasks()).as(seen.main()).hasSize(1).doesNotContain(all))
                .extracting(Seen::main)
                .contains("MRAppMaster", "YarnChild");
        assertThat(job.leaseNames()).containsOnly("am", "map", "reduce");
        Application.await("the end of all leases", () -> ledger.held().isEmpty());
        assertThat(lines())
                .singleElement()
                .asString()
                .startsWith("WARN ")
                .contains("all containers of this NodeManager run unbound: berth.yarn.domain is 'socket': give auto");
    }
}
