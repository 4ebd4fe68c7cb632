package org.berth.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.PlantedStat;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks of a real Spark whose slot is used by somebody else; the masks of their threads are read from /proc. */
@Tag("cluster")
@Tag("one-jdk")
@Timeout(300)
class GuardTest {
    @TempDir
    Path folder;

    /** What is idle is planted, because other tests may use every CPU; that the task waits is real. */
    @Test
    void aTaskThatWaitsWhileAnotherCpuIsIdleMayUseItUntilNoneIsIdle() throws Exception {
        Machine.requireRoot();
        Tool.requireSuccess("unshare", "-m", "true");
        int[] cpus = Machine.requireCpus(2);
        String both = CpuSet.of(cpus[0], cpus[1]).toString();
        Path stat = folder.resolve("stat");
        try (PlantedStat planted = PlantedStat.start(stat, Machine.cpus())) {
            planted.use(Set.of(cpus[0], cpus[1]));
            List<String> prefix = List.of(
                    "taskset",
                    "-c",
                    both,
                    "unshare",
                    "-m",
                    "sh",
                    "-c",
                    "mount --bind '" + stat + "' /proc/stat && exec \"$@\"",
                    "sh");
            List<String> options = List.of(
                    "-Dspark.master=local[2]",
                    "-Dspark.berth.level=pu",
                    "-Dspark.berth.warmup=false",
                    "-Dspark.berth.minTaskMillis=0");
            try (ForkedJob job = ForkedJob.start(folder, prefix, options, 0, WaitingJob.WORK)) {
                int worker = job.task(0, 1);
                Await.until("a slot of its own once the compilers are quiet", () -> isOneOf(cpus, job.mask(worker)));
                int slot = Integer.parseInt(job.mask(worker));
                try (Child neighbour =
                        Child.start("taskset", "-c", Integer.toString(slot), "sh", "-c", "while :; do :; done")) {
                    planted.use(Set.of(slot));
                    Await.until(
                            "both CPUs beside " + neighbour.pid(),
                            () -> job.mask(worker).equals(both));
                    planted.use(Set.of(cpus[0], cpus[1]));
                    Await.until("its slot again", () -> isOneOf(cpus, job.mask(worker)));
                }
                job.open(WaitingJob.WORK);
                job.await("result 3", 1);
                assertThat(job.end())
                        .anyMatch(line -> line.startsWith("INFO AffinityPlugin: Berth: level pu on CPUs " + both))
                        .anyMatch(line -> line.matches(".* tasks waited [0-9.]+ s for the CPUs .* tasks may use .*"))
                        .anyMatch(
                                line -> line.matches(
                                        ".*2 slots, 2 tasks, .*, [1-9]\\d* s with wider slots, widened [1-9]\\d* times, 0 failures.*"))
                        .anyMatch(line -> line.contains("spark.berth.warmup does nothing any more"))
                        .anyMatch(line -> line.contains("spark.berth.minTaskMillis does nothing any more"));
            }
        }
    }

    private static boolean isOneOf(int[] cpus, String mask) {
        return mask.equals(Integer.toString(cpus[0])) || mask.equals(Integer.toString(cpus[1]));
    }
}
