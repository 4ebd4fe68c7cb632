package org.berth.binding;

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
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class SlotUseTest {
    @Test
    void givesFreeSlotsFirstAndThenTheLeastUsed() {
        SlotUse use = new SlotUse(2);

        assertThat(use.take()).isZero();
        assertThat(use.take()).isEqualTo(1);
        assertThat(use.take()).isZero();
        use.release(1);
        assertThat(use.take()).isEqualTo(1);
        assertThat(use.take()).isEqualTo(1);
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> new SlotUse(0)).isInstanceOf(IllegalArgumentException.class);
        SlotUse use = new SlotUse(1);
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
        SlotUse use = new SlotUse(slots);
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
        SlotUse use = new SlotUse(slots);
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

    private static Random seeded() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        return new Random(seed);
    }
}
