package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ExecutionException;
import org.berth.binding.errors.BindingException;
import org.berth.placement.MemoryMode;
import org.berth.placement.Slot;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;

/** A program on a system for which there is no native library: it runs on, unbound, and a line tells why. */
class WithoutMachineTest {
    @Test
    void aProgramRunsOnWithoutAMachine() {
        List<String> lines = JavaProcess.of(Program.class)
                .option("-Dos.name=Mac OS X")
                .option("-Dos.arch=aarch64")
                .run()
                .lines()
                .toList();
        assertThat(lines.stream().filter(line -> line.startsWith("WARNING: berth: ")))
                .singleElement()
                .asString()
                .startsWith(
                        "WARNING: berth: nothing is bound: cannot find libberth.so: Berth has no native code for Mac OS X"
                                + " aarch64; ");
        assertThat(lines)
                .contains(
                        "a task ran",
                        "a scope ran",
                        "UNAVAILABLE",
                        "UNAVAILABLE",
                        "threads: all processors",
                        "a pool ran");
    }

    /** What a framework does; its log goes to the standard output. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws ExecutionException, InterruptedException {
            System.setErr(System.out);
            Binder binder = LocalMachine.tryOpen().map(LocalMachine::binder).orElseGet(Binder::none);
            Slot slot = Slot.of(0, CpuSet.of(0));
            SlotBinder slots = SlotBinder.of(binder, MemoryMode.LOCAL, List.of(slot));
            try (BoundPool pool = BoundPool.of(slots, Thread::new)) {
                System.out.println(pool.submit(() -> "a task ran").get());
            }
            binder.runBound(CpuSet.of(0), () -> System.out.println("a scope ran"));
            tell(binder::threadCpus);
            tell(() -> binder.allocate(4096, MemoryPolicy.local()));
            LocalMachine machine = LocalMachine.openOrUnbound();
            binder.bindThread(binder.allowedCores().get(0)).close();
            try (BoundPool pool = BoundPool.onCores(machine, "worker")) {
                boolean all = pool.size() == Runtime.getRuntime().availableProcessors();
                System.out.println("threads: " + (all && !machine.isThisMachine() ? "all processors" : pool.size()));
                System.out.println(pool.submit(() -> "a pool ran").get());
            }
        }

        private static void tell(Runnable use) {
            try {
                use.run();
                System.out.println("works");
            } catch (BindingException e) {
                System.out.println(e.kind());
            }
        }
    }
}
