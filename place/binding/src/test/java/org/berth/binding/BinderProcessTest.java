package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@SuppressWarnings("try") // a scope is there to be closed
class BinderProcessTest {
    private static final LocalMachine MACHINE = LocalMachine.open();

    private final Binder binder = MACHINE.binder();
    private final int[] cpus = Machine.requireCpus(2);

    @Test
    void bindsEveryThreadOfAProcessThatKeepsStartingThem() throws Exception {
        try (Child child = JavaProcess.of(ThreadStarter.class).start()) {
            assertThat(child.readLine()).isEqualTo("ready");
            for (int round = 0; round < 20; round++) {
                Map<Integer, String> before = ProcStatus.masks(child.pid());
                try (BoundScope bound = binder.bindProcess(child.pid(), CpuSet.of(cpus[1]))) {
                    for (int look = 0; look < 4; look++) {
                        assertThat(ProcStatus.masks(child.pid()))
                                .hasSizeGreaterThan(5)
                                .allSatisfy((tid, mask) ->
                                        assertThat(mask).as("thread %d", tid).isEqualTo(String.valueOf(cpus[1])));
                        Thread.sleep(5);
                    }
                }
                Map<Integer, String> after = ProcStatus.masks(child.pid());
                before.keySet().retainAll(after.keySet());
                assertThat(before).isNotEmpty();
                assertThat(after).containsAllEntriesOf(before);
                assertThat(after.values()).as("in round %d", round).containsOnly(before.get((int) child.pid()));
            }
        }
    }

    @Test
    void restoresNothingWhenTheProcessHasEnded() throws Exception {
        Child child = Child.start("sleep", "600");
        BoundScope bound = binder.bindProcess(child.pid(), CpuSet.of(cpus[1]));
        assertThat(ProcStatus.masks(child.pid()).values()).containsExactly(String.valueOf(cpus[1]));
        child.close();
        bound.close();
    }

    @Test
    void saysThatAProcessIsDead() throws Exception {
        Child child = Child.start("true");
        child.close();
        for (long pid : new long[] {child.pid(), 0, -1, Long.MAX_VALUE}) {
            assertThatExceptionOfType(BindingException.class)
                    .isThrownBy(() -> binder.bindProcess(pid, CpuSet.of(cpus[0])))
                    .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.ESRCH))
                    .withMessage("cannot bind process " + pid + " to CPUs " + cpus[0]
                            + ": ESRCH (no such process or thread); ps -e lists the processes that live");
        }
    }

    @Test
    void saysWhoMayBindTheProcessOfAnotherUser() throws Exception {
        Machine.requireRoot();
        Tool.require("setpriv");
        try (Child other = Child.start("setpriv", "--reuid", "65534", "--clear-groups", "sleep", "600")) {
            // Until then it is root's.
            Await.until("sleep", () -> ProcStatus.of(other.pid()).name(), "sleep"::equals);
            String before = ProcStatus.of(other.pid()).cpus();
            JavaProcess java = JavaProcess.of(BindProcess.class, String.valueOf(other.pid()), String.valueOf(cpus[1]))
                    .under("setpriv", "--bounding-set", "-sys_nice", "--inh-caps", "-sys_nice");
            assertThat(java.run())
                    .isEqualTo("cannot bind thread " + other.pid() + " to CPUs " + cpus[1]
                            + ": EPERM (operation not permitted);"
                            + " only root (CAP_SYS_NICE) may bind what belongs to another user");
            assertThat(ProcStatus.of(other.pid()).cpus()).isEqualTo(before);
        }
    }

    /** Starts threads that start threads, without end. */
    static final class ThreadStarter {
        private ThreadStarter() {}

        public static void main(String[] args) throws InterruptedException {
            System.out.println("ready");
            while (true) {
                Thread outer = new Thread(() -> {
                    Thread inner = new Thread(() -> {});
                    inner.start();
                    try {
                        inner.join();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
                outer.start();
                outer.join();
            }
        }
    }

    /** Binds a process and prints what came of it. */
    static final class BindProcess {
        private BindProcess() {}

        public static void main(String[] args) {
            Binder binder = LocalMachine.open().binder();
            try (BoundScope bound = binder.bindProcess(Long.parseLong(args[0]), CpuSet.parseList(args[1]))) {
                System.out.println("bound");
            } catch (BindingException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
