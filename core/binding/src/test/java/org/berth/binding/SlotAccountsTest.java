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

class SlotAccountsTest {
    @Test
    void shouldHandOutFreeSlotsFirstAndThenTheLeastUsed() {
        SlotAccounts accounts = new SlotAccounts(2);

        assertThat(accounts.take(0)).isEqualTo(new SlotAccounts.Taken(0, 0));
        assertThat(accounts.take(0)).isEqualTo(new SlotAccounts.Taken(1, 0));
        assertThat(accounts.take(0)).isEqualTo(new SlotAccounts.Taken(0, 1));
        accounts.release(1);
        assertThat(accounts.take(0)).isEqualTo(new SlotAccounts.Taken(1, 0));
        assertThat(accounts.take(0)).isEqualTo(new SlotAccounts.Taken(1, 2));
        assertThat(accounts.taken()).isEqualTo(5);
        assertThat(accounts.shared()).isEqualTo(2);
    }

    @Test
    void shouldPreferTheSlotThatTheThreadHadUnlessAnotherHasFewerUsers() {
        SlotAccounts accounts = new SlotAccounts(3);

        assertThat(accounts.take(2).slot()).isEqualTo(2);
        assertThat(accounts.take(2).slot()).isEqualTo(0);
        assertThat(accounts.take(1).slot()).isEqualTo(1);
        assertThat(accounts.take(2)).isEqualTo(new SlotAccounts.Taken(2, 1));
    }

    @Test
    void shouldRefuseWhatMakesNoSense() {
        assertThatThrownBy(() -> new SlotAccounts(0)).isInstanceOf(IllegalArgumentException.class);
        SlotAccounts accounts = new SlotAccounts(1);
        accounts.release(accounts.take(0).slot());
        assertThatThrownBy(() -> accounts.release(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("slot 0");
    }

    /** One thread, any order of taking and giving back: the use of the slots never differs by more than it must. */
    @RepeatedTest(20)
    void shouldAlwaysGiveALeastUsedSlot() {
        Random random = seeded();
        int slots = 1 + random.nextInt(8);
        SlotAccounts accounts = new SlotAccounts(slots);
        int[] users = new int[slots];
        List<Integer> held = new ArrayList<>();
        long shared = 0;
        for (int step = 0; step < 2000; step++) {
            if (held.isEmpty() || random.nextInt(20) < 11) {
                SlotAccounts.Taken taken = accounts.take(random.nextInt(slots));
                int least = IntStream.of(users).min().orElseThrow();
                assertThat(users[taken.slot()]).isEqualTo(least);
                shared += least > 0 ? 1 : 0;
                assertThat(taken.sharedSoFar()).isEqualTo(least > 0 ? shared : 0);
                users[taken.slot()]++;
                held.add(taken.slot());
            } else {
                int slot = held.remove(random.nextInt(held.size()));
                accounts.release(slot);
                users[slot]--;
            }
        }
        assertThat(accounts.shared()).isEqualTo(shared);
    }

    /** As many threads as slots: whatever the interleaving, nobody ever has to share. */
    @RepeatedTest(5)
    void shouldNeverShareWhileThereAreSlotsForAll() throws Exception {
        long seed = seeded().nextLong();
        int slots = 4;
        SlotAccounts accounts = new SlotAccounts(slots);
        AtomicIntegerArray users = new AtomicIntegerArray(slots);
        ExecutorService threads = Executors.newFixedThreadPool(slots);
        try {
            List<Future<Integer>> results = new ArrayList<>();
            for (int thread = 0; thread < slots; thread++) {
                Random random = new Random(seed + thread);
                results.add(threads.submit((Callable<Integer>) () -> {
                    int collisions = 0;
                    for (int step = 0; step < 5000; step++) {
                        int slot = accounts.take(0).slot();
                        collisions += users.getAndIncrement(slot);
                        if (random.nextInt(16) == 0) {
                            LockSupport.parkNanos(1);
                        }
                        users.decrementAndGet(slot);
                        accounts.release(slot);
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
        assertThat(accounts.taken()).isEqualTo(slots * 5000L);
        assertThat(accounts.shared()).isZero();
    }

    private static Random seeded() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        return new Random(seed);
    }
}
