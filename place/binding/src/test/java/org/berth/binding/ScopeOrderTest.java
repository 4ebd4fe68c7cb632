package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;

/** Scopes that are closed in any order leave what was there before; the oracle is /proc/self/task. */
class ScopeOrderTest {
    private static final int ROUNDS = 60;
    private static final int STEPS = 12;

    private final Binder binder = LocalMachine.open().binder();
    private final int[] cpus = Machine.requireCpus(2);

    @Test
    void theOuterScopeOfAThreadIsClosedFirst() {
        String before = kernelMask();
        BoundScope outer = binder.bindThread(CpuSet.of(cpus[0]));
        BoundScope inner = binder.bindThread(CpuSet.of(cpus[1]));
        outer.close();
        assertThat(kernelMask()).as("the inner one holds").isEqualTo(String.valueOf(cpus[1]));
        inner.close();
        assertThat(kernelMask()).isEqualTo(before);
    }

    @Test
    void scopesOfAThreadInAnyOrder() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String before = kernelMask();
        for (int round = 0; round < ROUNDS; round++) {
            List<BoundScope> open = new ArrayList<>();
            List<String> masks = new ArrayList<>(List.of(before));
            for (int step = 0; step < STEPS || !open.isEmpty(); step++) {
                if (step < STEPS && (open.isEmpty() || random.nextBoolean())) {
                    int cpu = cpus[random.nextInt(2)];
                    open.add(binder.bindThread(CpuSet.of(cpu)));
                    masks.add(String.valueOf(cpu));
                } else {
                    int which = random.nextInt(open.size());
                    open.remove(which).close();
                    masks.remove(which + 1);
                }
                assertThat(kernelMask()).as("seed %d", seed).isEqualTo(masks.get(masks.size() - 1));
            }
        }
    }

    @Test
    void anotherThreadClosesTheOuterOne() throws Exception {
        String before = kernelMask();
        BoundScope outer = binder.bindThread(CpuSet.of(cpus[0]));
        BoundScope inner = binder.bindThread(Thread.currentThread(), CpuSet.of(cpus[1]));
        Thread other = new Thread(outer::close);
        other.start();
        other.join();
        assertThat(kernelMask()).isEqualTo(String.valueOf(cpus[1]));
        inner.close();
        assertThat(kernelMask()).isEqualTo(before);
    }

    @Test
    void scopesOfAProcess() {
        try (Child sleep = Child.start(new ProcessBuilder("sleep", "900"))) {
            Supplier<String> mask = () -> ProcStatus.of(sleep.pid()).cpus();
            String before = mask.get();
            BoundScope outer = binder.bindProcess(sleep.pid(), CpuSet.of(cpus[0]));
            BoundScope middle = binder.bindProcess(sleep.pid(), CpuSet.of(cpus[1]));
            BoundScope inner = binder.bindProcess(sleep.pid(), CpuSet.of(cpus[0]));
            middle.close();
            outer.close();
            assertThat(mask.get()).isEqualTo(String.valueOf(cpus[0]));
            inner.close();
            assertThat(mask.get()).isEqualTo(before);
        }
    }

    private static String kernelMask() {
        return ProcStatus.callingThread().cpus();
    }
}
