package org.berth.mapreduce.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.Job;
import org.berth.hadoopjobs.Mappers;
import org.berth.hadoopjobs.TestJobs;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One application with two executors, looked at from outside, because a cluster takes longer to start than all its jobs. */
@Tag("one-jdk")
@Tag("cluster")
@Tag("release")
@Timeout(600)
class LocalClusterTest {
    @TempDir
    Path work;

    @Test
    void executorsAreBoundAndMayBeLost() throws Exception {
        int[] cpus = Machine.requireCpus(2);
        TestJobs.text(work.resolve("in"), 3, 500, 7);
        Files.createDirectories(work.resolve("few"));
        Files.writeString(work.resolve("few/a"), "one\ntwo\n");
        Files.writeString(work.resolve("few/b"), "three\nfour\n");
        Files.writeString(work.resolve("cached"), "cached ");
        Job expected =
                TestJobs.wordCount(TestJobs.conf("local", work), work.resolve("in"), work.resolve("expected"), 3);
        assertThat(expected.waitForCompletion(false)).isTrue();
        try (Child client = start(CpuSet.parseList(cpus[0] + "," + cpus[1]).toString())) {
            assertThat(client.ask("wordcount"))
                    .startsWith("wordcount true 0 0 ")
                    .contains(TestJobs.comparable(expected.getCounters()).toString());
            assertThat(TestJobs.output(work.resolve("out"))).isEqualTo(TestJobs.output(work.resolve("expected")));

            assertThat(client.ask("failing"))
                    .startsWith("failing false")
                    .contains("the user's own words", "2 times", ClusterProgram.Fails.class.getName() + ".map");
            assertThat(TestJobs.output(work.resolve("failed"))).isEmpty();

            for (String way : new String[] {"exit", "thread"}) {
                assertThat(client.ask(way))
                        .startsWith(way + " false")
                        .contains(" called System.exit(", "2 times", Mappers.Exits.class.getName());
                assertThat(TestJobs.output(work.resolve(way))).isEmpty();
            }

            assertThat(client.ask("hangs")).startsWith("hangs true");
            // What the mapper writes: the place of each line, and the line.
            assertThat(TestJobs.sortedLines(work.resolve("hangs")))
                    .extracting(line -> line.substring(line.indexOf('\t') + 1))
                    .containsExactlyInAnyOrderElementsOf(TestJobs.sortedLines(work.resolve("in")));

            lostExecutors(client, cpus);
            assertThat(client.finish().output()).contains("end");
        }
        for (String folder : new String[] {"local-berth", "spark"}) {
            try (Stream<Path> files = Files.walk(work.resolve(folder))) {
                assertThat(files.filter(Files::isRegularFile)).isEmpty();
            }
        }
    }

    /** A map, then a reduce and with it the blocks of a map are lost: all records come once, and are counted once. */
    private void lostExecutors(Child client, int[] cpus) throws Exception {
        client.send("gated");
        List<Running> maps = running("maps", 2);
        List<String> masks = new ArrayList<>();
        for (Running map : maps) {
            masks.add(ProcStatus.of(map.pid(), map.tid()).cpus());
        }
        assertThat(masks).containsExactlyInAnyOrder(Integer.toString(cpus[0]), Integer.toString(cpus[1]));
        kill(maps.get(0).pid());
        running("maps", 3);
        Files.createFile(work.resolve("maps.open"));

        List<Running> reduces = running("reduces", 2);
        kill(reduces.get(1).pid());
        Files.createFile(work.resolve("reduces.open"));
        assertThat(client.readLine()).startsWith("gated true 4 4 ");
        List<String> lines = TestJobs.output(work.resolve("gated")).values().stream()
                .flatMap(String::lines)
                .sorted()
                .toList();
        assertThat(lines).containsExactly("cached four\t6", "cached one\t0", "cached three\t0", "cached two\t4");
        assertThat(work.resolve("gated/_temporary")).doesNotExist();
    }

    /** A task that waits: its process, and the kernel's id of its thread. */
    private record Running(long pid, int tid) {}

    private List<Running> running(String phase, int number) {
        Await.until(number + " " + phase, () -> seen(phase).size() >= number);
        return seen(phase);
    }

    private List<Running> seen(String phase) {
        Map<String, Running> result = new TreeMap<>();
        if (!Files.exists(work.resolve(phase))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(work.resolve(phase))) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                String[] parts = name.split("-", -1);
                result.put(name, new Running(Long.parseLong(parts[2]), Integer.parseInt(parts[3])));
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return List.copyOf(result.values());
    }

    private static void kill(long pid) {
        Tool.output("kill", "-9", Long.toString(pid));
    }

    private Child start(String cpus) throws IOException {
        return SparkJvm.client(work, "local-cluster[2,1,1024]")
                .under("taskset", "-c", cpus)
                .start();
    }
}
