package org.berth.spark.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Percentage;
import org.berth.binding.LocalMachine;
import org.berth.machines.Machines;
import org.berth.oracle.Await;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the sampler reports about this JVM, compared with what the test reads from /proc. */
@Timeout(120)
final class StatusSamplerTest {
    /** Any machine with several nodes: pages are counted by the kernel's numbers of nodes. */
    private static final String TWO_NODES = "16amd64-8n2c-cpusets";

    private static long pageBytes() {
        return Long.parseLong(Tool.output("getconf", "PAGESIZE"));
    }

    /** Pages of node 0 in numa_maps times the size of a page of the mapping. */
    private static long bytesOnNodeZero() throws IOException {
        long bytes = 0;
        for (String line : Files.readAllLines(Path.of("/proc/self/numa_maps"), StandardCharsets.ISO_8859_1)) {
            Matcher pages =
                    Pattern.compile(" N0=(\\d+) kernelpagesize_kB=(\\d+)").matcher(line);
            if (pages.find()) {
                bytes += Long.parseLong(pages.group(1)) * Long.parseLong(pages.group(2)) * 1024;
            }
        }
        return bytes;
    }

    @Test
    void pagesOnOtherNodesAreRemote() throws Exception {
        Machine.requireNuma();
        String memory = ProcStatus.self().nodes();
        assumeTrue(memory.equals("0"), "this test wants all memory on node 0, not on " + memory);
        try (StatusSampler far = new StatusSampler(TopologyXml.parse(Machines.xml(TWO_NODES)), new OwnCost());
                StatusSampler near = new StatusSampler(TopologyXml.parse(Machines.xml(TWO_NODES)), new OwnCost())) {
            StatusSampler.Sample away = far.sample(NodeSet.of(1));
            StatusSampler.Sample local = near.sample(NodeSet.of(0));

            assertThat(away.notes()).isEmpty();
            assertThat(away.memoryBytes()).isCloseTo(bytesOnNodeZero(), Percentage.withPercentage(20));
            assertThat(away.remoteBytes()).isEqualTo(away.memoryBytes());
            assertThat(away.remotePages()).isEqualTo(away.remoteBytes() / pageBytes());
            assertThat(local.remoteBytes()).isZero();
            assertThat(local.remotePages()).isZero();
        }
    }

    /** The first walk tells how long the next one would take. */
    @Test
    void largeMemoryIsNotWalked() throws Exception {
        Machine.requireNuma();
        StatusMemory memory = new StatusMemory(true, new PageWalk(1, 0));
        assertThat(memory.sample(NodeSet.of(0)).totalBytes()).isPositive();
        assertThat(memory.problem()).isEmpty();

        Await.until("the end of the walks", () -> {
            memory.sample(NodeSet.of(0));
            return !memory.problem().isEmpty();
        });
        assertThat(memory.sample(NodeSet.of(0)).totalBytes()).isNegative();
        assertThat(memory.problem()).startsWith("remote pages are no longer read: for ");
    }

    @Test
    void aMigratedThreadIsCounted() throws Exception {
        LocalMachine machine = LocalMachine.open();
        CpuSet allowed = machine.topology().allowedCpuSet();
        Machine.requireCpus(2);
        List<Integer> two = List.of(allowed.first(), allowed.next(allowed.first()));
        String tid = Integer.toString(ProcStatus.callingThread().tid());
        try (StatusSampler sampler = new StatusSampler(machine.topology(), new OwnCost())) {
            long before = sampler.sample(NodeSet.empty()).migrations();
            for (int i = 0; i < 40; i++) {
                taskset(Integer.toString(two.get(i % 2)), tid);
            }
            // Samples are rare; this thread must have run since.
            Await.until(
                    (before + 20) + " migrations",
                    () -> sampler.sample(NodeSet.empty()).migrations(),
                    migrations -> migrations >= before + 20);
        } finally {
            taskset(allowed.toString(), tid);
        }
    }

    private static void taskset(String cpus, String tid) {
        Tool.output("taskset", "-pc", cpus, tid);
    }
}
