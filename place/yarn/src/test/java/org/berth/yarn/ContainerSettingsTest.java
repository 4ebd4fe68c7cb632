package org.berth.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.yarn.WordCount.Seen;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Containers of a real cluster whose NodeManager has other settings than the ordinary ones. */
@Tag("one-jdk")
@Tag("cluster")
@Tag("release")
@Timeout(600)
class ContainerSettingsTest {
    private static final Map<String, String> ALONE =
            Map.of(YarnSettings.SELECT, "exclusive", YarnSettings.STRICT, "true");

    @RegisterExtension
    static final OneCluster ONE = new OneCluster();

    @TempDir
    static Path folder;

    private static SharedCluster shared;
    private static YarnClient client;
    private static Ledger ledger;

    @BeforeAll
    static void start() {
        shared = ONE.cluster();
        client = shared.client();
        ledger = shared.ledger();
    }

    @AfterEach
    @Timeout(180)
    void endWhatIsLeft() throws Exception {
        Application.endAll(client);
    }

    @Test
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
    void tellsOfAContainerThatDoesNotStartAndRunsItUnbound() throws Exception {
        Path launcher = folder.resolve("berth-exec");
        Path go = folder.resolve("go");
        Files.writeString(
                launcher,
                "#!/bin/sh\nwhile [ ! -e " + go + " ]; do sleep 0.1; done\nexec " + NativeLibrary.launcher()
                        + " \"$@\"\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        shared.need(Map.of(YarnSettings.LAUNCHER, launcher.toString(), YarnSettings.PATIENCE, "1"));
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
        shared.renew(Map.of(YarnSettings.LAUNCHER, launcher.toString()));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rw-r--r--"));
        Application unbound = Application.start(client, folder, 1);
        assertThat(ProcStatus.settledMasks(unbound.pid())).containsExactly(Machine.cpuList());
        shared.awaitLine(unbound.container() + " runs unbound: Cannot run program \"" + launcher + "\"");
        assertThat(shared.warnings()).hasSize(1);
        Path error =
                shared.folder().resolve("cluster/logs/" + unbound.id() + "/" + unbound.container() + "/prelaunch.err");
        assertThat(error)
                .content()
                .startsWith("berth: " + launcher + " cannot be run here, or ")
                .endsWith("this container runs unbound\n")
                .hasLineCount(1);
        assertThat(ledger.held()).isEmpty();
        unbound.kill();
    }

    @Test
    void bindsFromOutsideWhatIsNotBornInASlot() throws Exception {
        shared.renew(Map.of(YarnSettings.BIND, "outside"));
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

    /** Settings for users who may not change the NodeManager; the lines are those of docs/engines/yarn.md. */
    @Test
    void runsUnboundOnAWrongSettingAndBindsByTheAgentAlone() throws Exception {
        String agent = "-agentpath:" + NativeLibrary.file() + "=";
        String daemon = agent + "domain=core:" + Cores.all() + ",preset=yarn,name=nodemanager,leases=";
        shared.renew(Map.of(YarnSettings.DOMAIN, "socket"), daemon + folder.resolve("daemons"));
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
        WordCount job = new WordCount(Files.createDirectory(shared.folder().resolve("job2")), ledger);
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
