package org.berth.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.berth.binding.NativeLibrary;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
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

/** Containers of a real cluster; the order of the tests only spares starts of NodeManagers. */
@Tag("one-jdk")
@Tag("cluster")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ContainersTest {
    /** Tag of the tests that testing/yarn-3.4 runs, too. */
    private static final String EACH_HADOOP = "each-hadoop";

    private static final String ONE_JDK = "one-jdk";

    private static final Map<String, String> ALONE =
            Map.of(YarnSettings.SELECT, "exclusive", YarnSettings.STRICT, "true");

    @TempDir
    static Path folder;

    private static SharedCluster shared;
    private static YarnClient client;
    private static Ledger ledger;

    @BeforeAll
    static void start() throws IOException {
        Assumptions.assumeFalse(
                VersionInfo.getVersion().startsWith("3.4.") && Runtime.version().feature() >= 24,
                "Hadoop 3.4 calls Subject.getSubject, which JDK 24 and later refuse");
        shared = SharedCluster.start(folder);
        client = shared.client();
        ledger = shared.ledger();
    }

    @AfterEach
    @Timeout(180)
    void endWhatIsLeft() throws Exception {
        Application.endAll(client);
    }

    @AfterAll
    static void stop() throws IOException {
        if (shared != null) {
            shared.close();
        }
    }

    @Test
    @Order(1)
    @Tag(EACH_HADOOP)
    void givesContainersOfAnUnmodifiedJobSlotsFromBirth() throws Exception {
        shared.need(Map.of());
        WordCount job = new WordCount(Files.createDirectory(folder.resolve("job")), ledger);
        Map<String, Seen> containers = job.run(shared.clientSettings(), role -> "");
        assertThat(job.result()).containsEntry("every", 4).containsEntry("0", 1).containsEntry("thread", 2);
        assertThat(containers.values())
                .extracting(Seen::main)
                .containsExactlyInAnyOrder("MRAppMaster", "YarnChild", "YarnChild", "YarnChild");
        String all = Machine.cpuList();
        containers.forEach((name, seen) -> {
            assertThat(seen.allMasks()).as(name + " at every look").hasSize(1).doesNotContain(all);
            assertThat(seen.leases()).as("lease of " + name).isEqualTo(seen.allMasks());
        });
        shared.awaitNoLease();
        assertThat(shared.warnings()).isEmpty();
        assertThat(shared.lines()).anyMatch(line -> line.contains("each container its share of the "));
    }

    @Test
    @Order(2)
    @Tag(EACH_HADOOP)
    void spreadsContainersAndLetsThemShareWhenAllIsTaken() throws Exception {
        shared.need(Map.of());
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
            assertThat(ProcStatus.settledMasks(application.pid())).containsExactly(cpus);
            assertThat(ProcStatus.settledMasks(application.child()))
                    .as("what a container starts")
                    .containsExactly(cpus);
            shared.awaitLine(application.container() + " (1 vcores) holds core of CPUs " + cpus + ": process "
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
    void givesARelaunchedContainerANewSlot() throws Exception {
        shared.need(Map.of());
        Application first = Application.start(client, folder, 1);
        String text = first.container() + " (1 vcores) holds ";
        shared.awaitLine(text);
        assertThat(ledger.held("pid ")).containsExactly(Map.entry(first.container(), Long.toString(first.pid())));
        Application second = first.fail();
        assertThat(second.pid()).isNotEqualTo(first.pid());
        assertThat(ledger.held("pid ")).containsExactly(Map.entry(first.container(), Long.toString(second.pid())));
        assertThat(ProcStatus.settledMasks(second.pid()))
                .containsExactly(ledger.cpus(first.container()))
                .doesNotContain(Machine.cpuList());
        Await.until(
                "a second line",
                () -> shared.lines().stream()
                                .filter(line -> line.contains(text))
                                .count()
                        == 2);
        second.kill();
        assertThat(ledger.held()).isEmpty();
    }

    @Test
    @Order(3)
    @Tag(EACH_HADOOP)
    void givesAContainerWithAReplacedCommandANewSlot() throws Exception {
        shared.need(Map.of());
        try (ReplacedCommand application = ReplacedCommand.start(client, shared.clientSettings(), folder)) {
            String text = application.container() + " (1 vcores) holds ";
            for (int command = 1; command <= 2; command++) {
                long pid = command == 1 ? application.run() : application.replace();
                int lines = command;
                Await.until(
                        "line " + lines,
                        () -> shared.lines().stream()
                                        .filter(line -> line.contains(text))
                                        .count()
                                == lines);
                assertThat(ledger.held("pid ")).containsExactly(Map.entry(application.container(), Long.toString(pid)));
                assertThat(ProcStatus.settledMasks(pid))
                        .containsExactly(ledger.cpus(application.container()))
                        .doesNotContain(Machine.cpuList());
            }
        }
        shared.awaitNoLease();
    }

    @Test
    @Order(4)
    @Tag(ONE_JDK)
    void givesContainersOfSeveralVcoresTheirShareOfCores() throws Exception {
        shared.need(Map.of());
        int cores = Cores.all();
        int needed = 0;
        for (int vcores : List.of(SharedCluster.VCORES / 2 + 1, SharedCluster.VCORES / 2 - 1)) {
            Application application = Application.start(client, folder, vcores);
            String cpus = ledger.cpus(application.container());
            int share = (vcores * cores + SharedCluster.VCORES - 1) / SharedCluster.VCORES;
            assertThat(Cores.in(cpus))
                    .as(vcores + " of " + SharedCluster.VCORES + " vcores")
                    .isEqualTo(share);
            assertThat(ProcStatus.settledMasks(application.pid())).containsExactly(cpus);
            shared.awaitLine(application.container() + " (" + vcores + " vcores) holds ");
            needed += share;
        }
        assertThat(needed).isGreaterThan(cores);
        for (String container : ledger.held().keySet()) {
            client.killApplication(ApplicationId.fromString(
                    container.replace("container", "application").replace("_01_000001", "")));
        }
        shared.awaitNoLease();
        assertThat(shared.warnings()).isEmpty();
    }

    @Test
    @Order(5)
    void keepsTheSlotsOfContainersWithoutANodeManager() throws Exception {
        shared.need(Map.of());
        Application recovered = Application.start(client, folder, 1);
        Application killed = Application.start(client, folder, 1);
        Map<String, String> held = ledger.held();
        assertThat(held).containsOnlyKeys(recovered.container(), killed.container());
        shared.killNodeManager();
        assertThat(ledger.held()).as("leases without a NodeManager").isEqualTo(held);
        killed.killProcesses();
        Await.until(
                "the end of a lease that nobody waits for", () -> ledger.held().size() == 1);
        shared.restart(ALONE);
        shared.awaitLine(recovered.container() + " (1 vcores) holds ");
        assertThat(recovered.isAlive()).isTrue();
        assertThat(ledger.held()).containsExactly(Map.entry(recovered.container(), held.get(recovered.container())));
        recovered.kill();
        assertThat(ledger.held()).isEmpty();
        assertThat(shared.warnings()).isEmpty();
    }

    @Test
    @Order(6)
    @Tag(ONE_JDK)
    void sharesNothingAndFailsAContainerWithoutASlot() throws Exception {
        shared.need(ALONE);
        int cores = Cores.all();
        Application all = Application.start(client, folder, SharedCluster.VCORES - 1);
        assertThat(Cores.in(ledger.cpus(all.container()))).isEqualTo(cores);
        assertThat(ledger.held("exclusive ")).containsEntry(all.container(), "yes");
        ApplicationId refused = Application.submit(client, folder, 1);
        Await.until("its failure", () -> state(refused) == YarnApplicationState.FAILED);
        assertThat(client.getApplicationReport(refused).getDiagnostics())
                .contains(cores == 1 ? "\nberth: core of CPUs " : "\nberth: each of the " + cores + " domains ")
                .contains(" is used by another process: 'berth leases' lists");
        assertThat(ledger.held()).containsOnlyKeys(all.container());
        all.kill();
        Application alone = Application.start(client, folder, 1);
        assertThat(ProcStatus.settledMasks(alone.pid()))
                .containsExactly(ledger.cpus(alone.container()))
                .doesNotContain(Machine.cpuList());
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
    void tellsOfAContainerThatDoesNotStartAndRunsItUnbound() throws Exception {
        Path launcher = folder.resolve("berth-exec");
        Path go = folder.resolve("go");
        Files.writeString(
                launcher,
                "#!/bin/sh\nwhile [ ! -e " + go + " ]; do sleep 0.1; done\nexec " + NativeLibrary.launcher()
                        + " \"$@\"\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        shared.restart(Map.of(YarnSettings.LAUNCHER, launcher.toString(), YarnSettings.PATIENCE, "1"));
        ApplicationId slow = Application.submit(client, folder, 1);
        shared.awaitLine(
                Application.container(slow) + " did not start its command in 1 seconds: its binding is not checked");
        Files.createFile(go);
        Application late = Application.running(client, slow, folder);
        assertThat(ProcStatus.settledMasks(late.pid()))
                .containsExactly(ledger.cpus(late.container()))
                .doesNotContain(Machine.cpuList());
        late.kill();
        assertThat(shared.warnings()).hasSize(1);

        // One that waits for as long as it takes.
        shared.restart(Map.of(YarnSettings.LAUNCHER, launcher.toString()));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rw-r--r--"));
        Application unbound = Application.start(client, folder, 1);
        assertThat(ProcStatus.settledMasks(unbound.pid())).containsExactly(Machine.cpuList());
        shared.awaitLine(unbound.container() + " runs unbound: Cannot run program \"" + launcher + "\"");
        assertThat(shared.warnings()).hasSize(1);
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
    void bindsFromOutsideWhatIsNotBornInASlot() throws Exception {
        shared.restart(Map.of(YarnSettings.BIND, "outside"));
        String all = Machine.cpuList();
        Application application = Application.start(client, folder, 1);
        shared.awaitLine(application.container() + " (1 vcores) was bound from outside to core of CPUs ");
        String cpus = ledger.cpus(application.container());
        assertThat(cpus).isNotEqualTo(all);
        assertThat(shared.lines()).anyMatch(line -> line.endsWith(" on CPUs " + cpus + ", memory default"));
        assertThat(ProcStatus.settledMasks(application.pid())).containsExactly(cpus);
        assertThat(ProcStatus.settledMasks(application.child())).containsExactly(cpus);
        shared.killNodeManager();
        assertThat(ledger.held()).as("held without a NodeManager").containsEntry(application.container(), cpus);
        application.killProcesses();
        shared.awaitNoLease();
    }

    /** For an administrator who may not change the NodeManager; the lines are those of docs/engines/yarn.md. */
    @Test
    @Order(9)
    void runsUnboundOnAWrongSettingAndBindsByTheAgentAlone() throws Exception {
        String agent = "-agentpath:" + NativeLibrary.file() + "=";
        String daemon = agent + "domain=core:" + Cores.all() + ",preset=yarn,name=nodemanager,leases=";
        shared.restart(Map.of(YarnSettings.DOMAIN, "socket"), daemon + folder.resolve("daemons"));
        String all = Machine.cpuList();
        long pid = shared.nodeManager().pid();
        for (String name : List.of("IPC Server hand", "IPC Server list")) {
            Await.until(name, () -> !ProcStatus.masks(pid, name::equals).isEmpty());
        }
        assertThat(ProcStatus.masks(pid, "IPC Server hand"::equals).values())
                .as("handlers of the NodeManager")
                .isNotEmpty()
                .allMatch(mask -> mask.matches("\\d+"));
        assertThat(ProcStatus.masks(pid, "IPC Server list"::equals).values())
                .isNotEmpty()
                .containsOnly(all);
        assertThat(new Ledger(folder.resolve("daemons")).held()).containsExactly(Map.entry("nodemanager", all));

        UnaryOperator<String> task =
                role -> agent + "domain=core:1,memory=prefer,leases=" + ledger.directory() + ",name=" + role;
        WordCount job = new WordCount(Files.createDirectory(folder.resolve("job2")), ledger);
        Map<String, Seen> containers = job.run(shared.clientSettings(), task);
        assertThat(job.result()).containsEntry("every", 4);
        // A JVM starts once more, in its place.
        assertThat(containers.values())
                .hasSize(4)
                .allSatisfy(seen ->
                        assertThat(seen.lastMasks()).as(seen.main()).hasSize(1).doesNotContain(all))
                .extracting(Seen::main)
                .contains("MRAppMaster", "YarnChild");
        assertThat(job.leaseNames()).containsOnly("am", "map", "reduce");
        shared.awaitNoLease();
        assertThat(shared.lines())
                .singleElement()
                .asString()
                .startsWith("WARN ")
                .contains("all containers of this NodeManager run unbound: berth.yarn.domain is 'socket': give auto");
    }
}
