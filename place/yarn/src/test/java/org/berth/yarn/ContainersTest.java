package org.berth.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.api.YarnClient;
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

/** Containers of a real cluster whose NodeManager has the ordinary settings. */
@Tag("one-jdk")
@Tag("cluster")
@Timeout(600)
class ContainersTest {
    /** Tag of the tests that testing/yarn-3.4 runs, too. */
    private static final String EACH_HADOOP = "each-hadoop";

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
    @Tag(EACH_HADOOP)
    void givesContainersOfAnUnmodifiedJobSlotsFromBirth() throws Exception {
        shared.need(Map.of());
        WordCount job = new WordCount(Files.createDirectory(shared.folder().resolve("job")), ledger);
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
        assertThat(shared.lines()).anyMatch(line -> line.contains("each container gets a share of the "));
    }

    @Test
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
                    + application.pid() + " on CPUs " + cpus + ", memory default");
        }
        for (Application application : applications) {
            application.kill();
        }
        assertThat(ledger.held()).isEmpty();
    }

    @Test
    @Tag("release")
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
    @Tag("release")
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
        shared.restart(Map.of());
        shared.awaitLine(recovered.container() + " (1 vcores) holds ");
        assertThat(recovered.isAlive()).isTrue();
        assertThat(ledger.held()).containsExactly(Map.entry(recovered.container(), held.get(recovered.container())));
        recovered.kill();
        assertThat(ledger.held()).isEmpty();
        assertThat(shared.warnings()).isEmpty();
    }
}
