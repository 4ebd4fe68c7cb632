package org.berth.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every task runs once in each wave, and the numbers that are compared are printed. */
@Tag("one-jdk")
@Tag("cluster")
@Timeout(300)
class TinyTasksTest {
    @TempDir
    Path folder;

    @Test
    void runsEachTaskOnceInEachWave() throws Exception {
        JobProcess.Run run = JobProcess.run(folder, TinyTasks.class, "--scale", "1", "--waves", "2", "--threads", "2");

        long sum = 2 * LongStream.range(0, 1000).map(SplitMix::mix).sum();
        assertThat(run.result()).isEqualTo(String.format("2000 tasks %016x", sum));
        assertThat(run.out().lines().filter(line -> line.matches("berth-(cpu|start)-seconds=\\d+\\.\\d{3}")))
                .hasSize(2);
        assertThat(run.err()).isEmpty();
    }

    @Test
    void refusesMoreTasksThanADriverHolds() throws Exception {
        JobProcess.run(folder, TinyTasks.class, "--scale", "1001")
                .assertFails(
                        2,
                        "tiny-tasks: Invalid value for option '--scale': '1001' is greater than 1000 (--help lists the"
                                + " options)");
    }
}
