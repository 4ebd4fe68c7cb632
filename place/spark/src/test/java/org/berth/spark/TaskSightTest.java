package org.berth.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a task of a real Spark sees of the machine: the same with the plugin at any level as without it. */
@Tag("cluster")
@Timeout(300)
class TaskSightTest {
    @TempDir
    Path folder;

    @BeforeEach
    void needTwoCpus() {
        Machine.requireCpus(2);
    }

    private List<String> lines(String... options) throws Exception {
        List<String> lines = new ArrayList<>();
        try (Child child = ChildJvm.of(SeenJob.class)
                .with("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dspark.master=local[2]")
                .with(options)
                .environment("BERTH_LEASES", folder.resolve("leases").toString())
                .environment("SPARK_LOCAL_IP", "127.0.0.1")
                .start()) {
            for (String line = child.readLine(); !line.equals("end"); line = child.readLine()) {
                lines.add(line);
            }
        }
        return lines;
    }

    private static Stream<String> seen(List<String> lines) {
        return lines.stream().filter(line -> line.startsWith("seen "));
    }

    @Test
    void aBoundTaskSeesTheSameAsAnUnboundOne() throws Exception {
        List<String> without = seen(lines()).distinct().toList();
        assertThat(without).hasSize(1);
        for (String level : List.of("core", "pu")) {
            List<String> bound = lines(
                    "-Dspark.plugins=" + AffinityPlugin.class.getName(),
                    "-Dspark.berth.level=" + level,
                    "-Dspark.berth.guard=off");
            assertThat(bound).as("tasks are bound").anyMatch(line -> line.matches("mask Cpus_allowed_list:\\s\\d+"));
            assertThat(seen(bound)).hasSize(4).containsOnly(without.get(0));
        }
    }
}
