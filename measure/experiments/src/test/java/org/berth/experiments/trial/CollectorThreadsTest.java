package org.berth.experiments.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.DoubleStream;
import org.berth.experiments.CollectorUse;
import org.berth.experiments.PauseSummary;
import org.berth.machines.Machines;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;

/** CPU time of collectors on a recorded machine with two nodes. */
final class CollectorThreadsTest {
    private static final Topology MACHINE = TopologyXml.parse(Machines.xml("2amd64-2n"));
    private static final PauseSummary NONE = PauseSummary.of(DoubleStream.empty());

    private static int cpuOf(int node) {
        return MACHINE.objects(ObjectType.NUMA_NODE).get(node).cpuSet().first();
    }

    private static ThreadSnapshot thread(int tid, String name, int node, long millis) {
        return new ThreadSnapshot(
                tid, name, 'R', cpuOf(node), CpuSet.of(0, 1), millis * 1_000_000, OptionalLong.empty());
    }

    @Test
    void timeCountsForTheNodeWhereTheThreadWasSeen() {
        CollectorThreads collectors = new CollectorThreads(MACHINE);
        collectors.add(List.of(new ProcessSample(
                0,
                List.of(thread(1, "GC Thread#0", 0, 100), thread(2, "main", 1, 900), thread(3, "VM Thread", 1, 50)))));
        collectors.add(List.of(new ProcessSample(
                1,
                List.of(thread(1, "GC Thread#0", 1, 350), thread(2, "main", 1, 1900), thread(4, "G1 Conc#0", 0, 25)))));
        // The kernel has given the id of a thread that ended to another one.
        collectors.add(List.of(new ProcessSample(2, List.of(thread(4, "ZWorkerYoung#1", 0, 5)))));

        CollectorUse use = collectors.use(NONE, NONE);
        assertThat(use.threads()).isEqualTo(2);
        assertThat(use.cpuSeconds()).isCloseTo(0.43, within(1e-9));
        int first = MACHINE.objects(ObjectType.NUMA_NODE).get(0).osIndex();
        int second = MACHINE.objects(ObjectType.NUMA_NODE).get(1).osIndex();
        assertThat(use.cpuSecondsByNode().keySet()).containsExactlyInAnyOrder(first, second);
        assertThat(use.cpuSecondsByNode().get(first)).isCloseTo(0.13, within(1e-9));
    }
}
