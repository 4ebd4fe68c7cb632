package org.berth.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.berth.binding.discovery.Discovery;
import org.berth.drawing.timeline.CpuRows;
import org.berth.observation.ProcessSample;
import org.berth.observation.ThreadSnapshot;
import org.berth.observation.threads.MigrationCounter;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Test;

final class ThreadTotalsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Topology MACHINE = Discovery.synthetic("node:2 core:2 pu:1");

    private static ThreadSnapshot thread(int tid, int cpu, long cpuNanos, long migrations) {
        return new ThreadSnapshot(tid, "t" + tid, 'R', cpu, CpuSet.range(0, 3), cpuNanos, OptionalLong.of(migrations));
    }

    @Test
    void timeCountsFromTheFirstSampleAndForTheNodeWhereItWasSeen() {
        MigrationCounter migrations = new MigrationCounter(MACHINE);
        ThreadTotals totals = new ThreadTotals(CpuRows.of(MACHINE), migrations);
        List<ProcessSample> samples = List.of(
                new ProcessSample(0, List.of(thread(1, 0, 7 * SECOND, 3), thread(2, 1, 0, 0))),
                new ProcessSample(SECOND, List.of(thread(1, 0, 8 * SECOND, 3), thread(2, 1, SECOND / 2, 0))),
                new ProcessSample(2 * SECOND, List.of(thread(1, 3, 8 * SECOND + SECOND / 4, 5))));
        samples.forEach(sample -> {
            migrations.add(sample);
            totals.add(sample);
        });

        assertThat(totals.rows()).hasSize(1);
        ThreadTotals.Row row = totals.rows().get(0);
        assertThat(row.cpuNanos()).isEqualTo(SECOND + SECOND / 4);
        assertThat(row.load()).isEqualTo(0.25);
        assertThat(row.migrations()).isEqualTo(2);
        assertThat(row.nanosByNode()).isEqualTo(Map.of(0, SECOND, 1, SECOND / 4));
        assertThat(totals.cpuNanos()).isEqualTo(Map.of(1, SECOND + SECOND / 4, 2, SECOND / 2));
    }

    @Test
    void rowsOfPicturesAreOrderedByNode() {
        CpuRows rows = CpuRows.of(Discovery.synthetic("node:2 core:2 pu:2"));

        assertThat(rows.all()).extracting(CpuRows.Row::cpu).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(rows.all()).extracting(CpuRows.Row::node).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
        assertThat(rows.digits()).isEqualTo(1);
    }
}
