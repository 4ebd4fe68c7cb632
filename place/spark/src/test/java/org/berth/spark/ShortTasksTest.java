package org.berth.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks of a real Spark that take less time than a slot of their own saves. */
@Tag("cluster")
@Tag("one-jdk")
@Timeout(300)
class ShortTasksTest {
    @TempDir
    Path folder;

    @Test
    void tasksThatAreTooShortForASlotRunOnAllCpus() throws Exception {
        List<String> options = List.of(
                "-Dspark.master=local[2]",
                "-Dspark.berth.level=pu",
                "-Dspark.berth.warmup=false",
                "-Dspark.berth.minTaskMillis=10000");
        int[] cpus = Machine.requireCpus(2);
        String first = Integer.toString(cpus[0]);
        String second = Integer.toString(cpus[1]);
        String both = CpuSet.parseList(first + "," + second).toString();
        try (ForkedJob job =
                ForkedJob.start(folder, List.of("taskset", "-c", both), options, 0, "gate", WaitingJob.STREAM)) {
            assertThat(job.taskMasks(1)).containsExactlyInAnyOrder(first, second);
            job.open("gate");
            Await.until(
                    "the line that tells it",
                    () -> job.said().stream().anyMatch(line -> line.contains("too short to gain from a slot")));
            Await.until(
                    "threads with " + both, () -> job.pool().values().stream().allMatch(both::equals));
            job.open(WaitingJob.STREAM);
            job.await("result 3", 1);
            assertThat(job.end())
                    .last()
                    .asString()
                    .matches(".*2 slots, \\d+ tasks, .* \\d+ more were too short to be bound,.*");
        }
    }
}
