package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@SuppressWarnings("try") // a scope is there to be closed
class BinderProcessTest {
    private static final LocalMachine MACHINE = LocalMachine.open();

    private final Binder binder = MACHINE.binder();
    private final int[] cpus =
            Oracle.twoAllowedCpus(MACHINE.topology().allowedCpuSet().toString());

    @Test
    void bindsEveryThreadOfAProcessThatKeepsStartingThem() throws Exception {
        Process child = JavaProcess.of(ThreadStarter.class).builder().start();
        try (BufferedReader out = child.inputReader()) {
            assertThat(out.readLine()).isEqualTo("ready");
            for (int round = 0; round < 20; round++) {
                Map<Integer, String> before = masks(child.pid());
                try (BoundScope bound = binder.bindProcess(child.pid(), CpuSet.of(cpus[1]))) {
                    for (int look = 0; look < 4; look++) {
                        assertThat(masks(child.pid()))
                                .hasSizeGreaterThan(5)
                                .allSatisfy((tid, mask) ->
                                        assertThat(mask).as("thread %d", tid).isEqualTo(String.valueOf(cpus[1])));
                        Thread.sleep(5);
                    }
                }
                Map<Integer, String> after = masks(child.pid());
                before.keySet().retainAll(after.keySet());
                assertThat(before).isNotEmpty();
                assertThat(after).containsAllEntriesOf(before);
                assertThat(after.values()).as("in round %d", round).containsOnly(before.get((int) child.pid()));
            }
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    @Test
    void restoresNothingWhenTheProcessHasEnded() throws Exception {
        Process child = new ProcessBuilder("sleep", "600").start();
        BoundScope bound = binder.bindProcess(child.pid(), CpuSet.of(cpus[1]));
        assertThat(masks(child.pid()).values()).containsExactly(String.valueOf(cpus[1]));
        child.destroyForcibly().waitFor();
        bound.close();
    }

    @Test
    void saysThatAProcessIsDead() throws Exception {
        Process child = new ProcessBuilder("true").start();
        child.waitFor();
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
        Oracle.assumeRoot();
        Oracle.assumeTool("setpriv");
        Process other = new ProcessBuilder("setpriv", "--reuid", "65534", "--clear-groups", "sleep", "600").start();
        try {
            // Until then it is root's.
            Oracle.awaitName(other.pid(), "sleep");
            String before = Oracle.allowedCpus(Path.of("/proc/" + other.pid()));
            JavaProcess java = JavaProcess.of(BindProcess.class, String.valueOf(other.pid()), String.valueOf(cpus[1]))
                    .under("setpriv", "--bounding-set", "-sys_nice", "--inh-caps", "-sys_nice");
            assertThat(java.run().lines())
                    .isEqualTo("cannot bind thread " + other.pid() + " to CPUs " + cpus[1]
                            + ": EPERM (operation not permitted);"
                            + " only root (CAP_SYS_NICE) may bind what belongs to another user");
            assertThat(Oracle.allowedCpus(Path.of("/proc/" + other.pid()))).isEqualTo(before);
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    private static Map<Integer, String> masks(long pid) throws IOException {
        Map<Integer, String> masks = new TreeMap<>();
        List<Path> tasks;
        try (Stream<Path> found = Files.list(Path.of("/proc/" + pid + "/task"))) {
            tasks = found.toList();
        }
        for (Path task : tasks) {
            try {
                masks.put(Integer.valueOf(task.getFileName().toString()), Oracle.allowedCpus(task));
            } catch (IOException e) {
                // It may have ended between the two looks.
                if (Files.exists(task)) {
                    throw e;
                }
            }
        }
        return masks;
    }

    /** Starts threads that start threads, for ever. */
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
