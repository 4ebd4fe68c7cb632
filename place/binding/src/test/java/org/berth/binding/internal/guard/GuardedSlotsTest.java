package org.berth.binding.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.berth.binding.LocalMachine;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.placement.internal.guard.SlotWidths;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Test;

/** The time in which nothing runs is no time with wider slots. */
class GuardedSlotsTest {
    private final List<Integer> widths = new ArrayList<>();
    private boolean working;

    private final class Own implements GuardedSlots.Threads {
        @Override
        public boolean haveWorked() {
            return working;
        }

        @Override
        public Set<Integer> tids() {
            return Set.of(ProcStatus.callingThread().tid());
        }

        @Override
        public void widen(int width) {
            widths.add(width);
        }
    }

    @Test
    void narrowSlotsAreLookedAtOftenOnlyWhileThreadsWork() throws Exception {
        int[] cpus = Machine.requireCpus(2);
        CpuSet domain = CpuSet.of(cpus[0], cpus[1]);
        SlotWidths steps =
                SlotWidths.of(LocalMachine.open().topology(), domain, List.of(CpuSet.of(cpus[0]), CpuSet.of(cpus[1])));
        try (GuardedSlots guard = new GuardedSlots(new Own(), steps, false, "the setting")) {
            assertThat(guard.update(domain)).isEmpty();
            assertThat(guard.nextLookMillis()).as("without work").isEqualTo(1000);
            working = true;
            assertThat(guard.update(domain)).isEmpty();
            assertThat(guard.nextLookMillis()).as("a trial").isEqualTo(250);
            working = false;
            assertThat(guard.update(domain)).isEmpty();
            assertThat(guard.nextLookMillis()).as("idle again").isEqualTo(1000);
        }
    }

    @Test
    void slotsStayWideWhileNothingRunsAndTheWaitIsNotCounted() throws Exception {
        int[] cpus = Machine.requireCpus(2);
        Topology topology = LocalMachine.open().topology();
        CpuSet domain = CpuSet.of(cpus[0], cpus[1]);
        SlotWidths steps = SlotWidths.of(topology, domain, List.of(CpuSet.of(cpus[0]), CpuSet.of(cpus[1])));
        try (GuardedSlots guard = new GuardedSlots(new Own(), steps, true, "the setting")) {
            working = true;
            assertThat(guard.update(domain)).isEmpty();
            working = false;
            assertThat(guard.update(domain)).isEmpty();
            Thread.sleep(1500); // longer than a span between two looks
            working = true;
            assertThat(guard.update(domain)).isEmpty();
            assertThat(widths).as("the first width alone").containsExactly(1);
            assertThat(guard.note()).hasValueSatisfying(note -> assertThat(note).contains("(the setting)"));
            assertThat(guard.summary()).isEqualTo(", 0 s with wider slots, widened 0 times");
        }
    }
}
