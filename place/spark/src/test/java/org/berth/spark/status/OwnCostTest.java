package org.berth.spark.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.berth.observation.ThreadSnapshot;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;

class OwnCostTest {
    private static final int BYTES = 8 << 20;

    private static ThreadSnapshot thread(String name, long cpuTimeNanos) {
        return new ThreadSnapshot(1, name, 'S', 0, CpuSet.empty(), cpuTimeNanos, OptionalLong.empty());
    }

    @Test
    void threadsOfBerthAndHooksCount() {
        OwnCost cost = new OwnCost();
        List<byte[]> kept = new ArrayList<>();
        cost.hook(() -> {
            kept.add(new byte[BYTES]);
            long from = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            long now = from;
            while (now - from < 5_000_000) {
                now = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            }
        });
        OwnCost.Sum sum = cost.sum(List.of(thread("berth-newborns", 3_000_000), thread("Executor task l", 1L << 40)));

        assertThat(kept).hasSize(1);
        assertThat(sum.allocatedBytes()).isGreaterThanOrEqualTo(BYTES);
        assertThat(sum.cpuNanos()).isGreaterThanOrEqualTo(8_000_000).isLessThan(1L << 40);
        assertThat(sum.startMillis()).isEqualTo(-1);
    }

    @Test
    void ofManyHooksOneInSixteenStandsForTheOthers() {
        OwnCost cost = new OwnCost();
        byte[][] kept = new byte[1][];
        int hooks = 6400;
        for (int i = 0; i < hooks; i++) {
            cost.hook(() -> kept[0] = new byte[1 << 16]);
        }
        assertThat(cost.sum(List.of()).allocatedBytes()).isBetween((long) hooks << 16, (long) hooks << 17);
    }

    @Test
    void itIsKnownWithoutAnyStatus() {
        OwnCost cost = new OwnCost();
        cost.start(() -> {});

        assertThat(cost.read().sentence())
                .matches(
                        "its own cost: started in \\d+ ms, [\\d.]+ ms of CPU time \\([\\d.]+ % of this JVM's\\), .* allocated");
    }

    @Test
    void theStartIsTakenAlsoWhenItFails() {
        OwnCost cost = new OwnCost();
        try {
            cost.start(() -> {
                throw new IllegalStateException("as a hook may");
            });
        } catch (IllegalStateException expected) {
            assertThat(expected).hasMessage("as a hook may");
        }
        assertThat(cost.sum(List.of()).startMillis()).isNotNegative();
        assertThat(OwnCost.Sum.NONE.sentence()).contains("started in an unknown time, an unknown CPU time");
    }
}
