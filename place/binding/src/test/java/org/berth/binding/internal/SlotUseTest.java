package org.berth.binding.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.berth.machines.Machines;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class SlotUseTest {
    @Test
    void givesFreeSlotsFirstAndThenTheLeastUsed() {
        SlotUse use = apart(2);

        assertThat(use.take()).isZero();
        assertThat(use.take()).isEqualTo(1);
        assertThat(use.take()).isZero();
        use.release(1);
        assertThat(use.take()).isEqualTo(1);
        assertThat(use.take()).isEqualTo(1);
    }

    @Test
    void aSlotOfSeveralCoresTakesThemFromSlotsOfOne() {
        List<CpuSet> cores = List.of(CpuSet.of(0, 1), CpuSet.of(2, 3), CpuSet.of(4, 5));
        SlotUse use = new SlotUse(List.of(CpuSet.range(0, 3), CpuSet.of(0, 1), CpuSet.of(4, 5)), cores);
        assertThat(use.take()).isZero();
        assertThat(use.take()).isEqualTo(2);
        assertThat(use.take()).isEqualTo(1);
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> apart(0)).isInstanceOf(IllegalArgumentException.class);
        SlotUse use = apart(1);
        use.release(use.take());
        assertThatThrownBy(() -> use.release(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("slot 0");
    }

    /** One thread, any order of taking and giving back: the use of the slots never differs by more than it must. */
    @RepeatedTest(20)
    void alwaysGivesALeastUsedSlot() {
        Random random = seeded();
        int slots = 1 + random.nextInt(8);
        SlotUse use = apart(slots);
        int[] users = new int[slots];
        List<Integer> held = new ArrayList<>();
        for (int step = 0; step < 2000; step++) {
            if (held.isEmpty() || random.nextInt(20) < 11) {
                int slot = use.take();
                assertThat(users[slot]).isEqualTo(IntStream.of(users).min().orElseThrow());
                users[slot]++;
                held.add(slot);
            } else {
                int slot = held.remove(random.nextInt(held.size()));
                use.release(slot);
                users[slot]--;
            }
        }
    }

    /** With one slot per thread no slot has two users, in any interleaving. */
    @RepeatedTest(5)
    void neverSharesWhileThereAreSlotsForAll() throws Exception {
        long seed = seeded().nextLong();
        int slots = 4;
        SlotUse use = apart(slots);
        AtomicIntegerArray users = new AtomicIntegerArray(slots);
        ExecutorService threads = Executors.newFixedThreadPool(slots);
        try {
            List<Future<Integer>> results = new ArrayList<>();
            for (int thread = 0; thread < slots; thread++) {
                Random random = new Random(seed + thread);
                results.add(threads.submit((Callable<Integer>) () -> {
                    int collisions = 0;
                    for (int step = 0; step < 5000; step++) {
                        int slot = use.take();
                        collisions += users.getAndIncrement(slot);
                        if (random.nextInt(16) == 0) {
                            LockSupport.parkNanos(1);
                        }
                        users.decrementAndGet(slot);
                        use.release(slot);
                    }
                    return collisions;
                }));
            }
            for (Future<Integer> result : results) {
                assertThat(result.get()).isZero();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Slots for PUs in any order, some of them twice, on cores with one PU and with two; threads come and go. */
    @RepeatedTest(20)
    void noThreadSharesACoreWhileAnotherOneIsFree() {
        Random random = seeded();
        Topology machine = TopologyXml.parse(Machines.xml("20em64t-hybrid-1p6c2t+2ca4co1t"));
        List<CpuSet> slots = new ArrayList<>();
        for (int i = random.nextInt(40); i >= 0; i--) {
            slots.add(CpuSet.of(random.nextInt(20)));
        }
        SlotUse use = new SlotUse(slots, machine.allowedCores());
        List<Integer> held = new ArrayList<>();
        for (int step = 0; step < 300; step++) {
            if (held.isEmpty() || random.nextInt(3) > 0) {
                int taken = use.take();
                List<CpuSet> others = held.stream().map(slots::get).toList();
                List<CpuSet> free = slots.stream()
                        .filter(slot -> others.stream().noneMatch(slot::intersects))
                        .toList();
                List<CpuSet> freeCores = free.stream()
                        .filter(slot -> others.stream().noneMatch(core(machine, slot)::intersects))
                        .toList();
                assertThat(slots.get(taken)).isIn(freeCores.isEmpty() ? free.isEmpty() ? slots : free : freeCores);
                held.add(taken);
            } else {
                use.release(held.remove(random.nextInt(held.size())));
            }
        }
    }

    private static CpuSet core(Topology machine, CpuSet slot) {
        return machine.objectsIntersecting(slot, ObjectType.CORE).get(0).cpuSet();
    }

    /** Slots of one CPU each, on cores of one CPU. */
    private static SlotUse apart(int slots) {
        List<CpuSet> cpus = IntStream.range(0, slots).mapToObj(CpuSet::of).toList();
        return new SlotUse(cpus, cpus);
    }

    private static Random seeded() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        return new Random(seed);
    }
}
