package org.berth.rpc.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** The same as a map of Java, for random steps. */
class PendingCallsTest {
    private static List<PendingCall> distinct(int count) throws Exception {
        List<PendingCall> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            // Each thread has its own.
            var thread = Executors.newSingleThreadExecutor();
            calls.add(thread.submit((Callable<PendingCall>) PendingCall::begin).get());
            thread.shutdown();
        }
        return calls;
    }

    @Test
    void behavesAsAMap() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<PendingCall> some = distinct(20);
        PendingCalls calls = new PendingCalls();
        Map<Integer, PendingCall> expected = new HashMap<>();
        int step = 0;
        while (step++ < 200_000) {
            // Few numbers that collide, in rising order as Hadoop gives them, with bursts.
            int id = random.nextInt(8) == 0 ? random.nextInt() : random.nextInt(200) * 65_536;
            if (random.nextInt(100) < (step / 1000 % 2 == 0 ? 60 : 40)) {
                PendingCall call = some.get(random.nextInt(some.size()));
                assertThat(calls.add(id, call)).as("seed %d", seed).isEqualTo(!expected.containsKey(id));
                expected.putIfAbsent(id, call);
            } else {
                assertThat(calls.remove(id)).as("seed %d", seed).isSameAs(expected.remove(id));
            }
            assertThat(calls.isEmpty()).isEqualTo(expected.isEmpty());
        }
        assertThat(calls.close()).containsExactlyInAnyOrderElementsOf(expected.values());
        assertThat(calls.add(1, some.get(0))).isFalse();
    }
}
