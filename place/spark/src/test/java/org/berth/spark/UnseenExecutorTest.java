package org.berth.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.oracle.PlantedStat;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real Spark in a mount namespace with a /dev/shm and a /run of its own, as in a container without a common ledger. */
@Tag("cluster")
@Timeout(300)
class UnseenExecutorTest {
    @TempDir
    Path folder;

    @Test
    void anExecutorReportsItAndMovesItsTasksAwayFromOthers() throws Exception {
        Machine.requireRoot();
        Tool.requireSuccess("unshare", "-m", "true");
        int[] cpus = Machine.requireCpus(2);
        Path stat = folder.resolve("stat");
        try (PlantedStat planted = PlantedStat.start(stat, Machine.cpus())) {
            planted.use(Set.of(cpus[1]));
            List<String> prefix = PlantedStat.withoutOthersLeases(stat, cpus[0], cpus[1]);
            List<String> options =
                    List.of("-Dspark.master=local[1]", "-Dspark.berth.level=pu", "-Dspark.berth.guard=off");
            try (ForkedJob job = ForkedJob.start(folder, prefix, options, 0, "gate")) {
                int task = job.task(0, 1);
                assertThat(job.mask(task)).isEqualTo(Integer.toString(cpus[0]));
                assertThat(job.said())
                        .filteredOn(line -> line.contains("do not see the leases in /dev/shm/berth-leases"))
                        .singleElement()
                        .asString()
                        .contains("BERTH_LEASES");
                planted.use(Set.of(cpus[0]));
                Await.until("another CPU of the task", () -> job.mask(task).equals(Integer.toString(cpus[1])));
                job.open("gate");
                job.await("result 3", 1);
                assertThat(job.end())
                        .anyMatch(line -> line.contains("processes that do not see this executor's lease use CPUs"));
            }
        }
    }
}
