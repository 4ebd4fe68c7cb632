package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.ReusedPid;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ids of threads come back: what one thread had is not another's. */
@Timeout(120)
class ThreadIdReuseTest {
    private static final Path LAST_ID = Path.of("/proc/sys/kernel/ns_last_pid");

    @Test
    void aThreadWithTheIdOfAnEndedOneDoesNotGetWhatThatHad() throws Exception {
        assumeTrue(ReusedPid.isPossible(), "only root may choose the next id");
        NativeLibrary.load();
        int[] cpus = Machine.requireCpus(2);
        String both = CpuSet.of(cpus[0], cpus[1]).toString();
        try (Child jvm =
                JavaProcess.of(Reborn.class).under("taskset", "-c", both).start()) {
            int tid = Integer.parseInt(jvm.readLine());
            Tool.output("taskset", "-p", "-c", "" + cpus[1], "" + tid);
            ProcessBinding binding = ProcessBinding.bind(jvm.pid(), CpuSet.of(cpus[0]));
            assertThat(binding.before()).containsValue(CpuSet.of(cpus[1]));
            assumeTrue(jvm.ask("again").equals("same id"), "other processes took the id each time");
            assertThat(ProcStatus.of(jvm.pid(), tid).cpus()).isEqualTo("" + cpus[0]);
            binding.restore();
            assertThat(ProcStatus.of(jvm.pid(), tid).cpus()).isEqualTo(both);
        }
    }

    /** A thread that waits; for a line, another one with its id. */
    static final class Reborn {
        private static final int ATTEMPTS = 200;

        private Reborn() {}

        public static void main(String[] arguments) throws Exception {
            CountDownLatch end = new CountDownLatch(1);
            CompletableFuture<Integer> first = new CompletableFuture<>();
            Thread thread = start(first, end);
            int tid = first.get();
            System.out.println(tid);
            while (System.in.read() != '\n') {}
            end.countDown();
            thread.join();
            // Start times have a resolution of 10 ms.
            Thread.sleep(50);
            System.out.println(again(tid) ? "same id" : "none");
            Thread.sleep(600_000);
        }

        private static boolean again(int tid) throws Exception {
            for (int i = 0; i < ATTEMPTS; i++) {
                CountDownLatch end = new CountDownLatch(1);
                CompletableFuture<Integer> id = new CompletableFuture<>();
                Files.writeString(LAST_ID, Integer.toString(tid - 1));
                Thread thread = start(id, end);
                if (id.get() == tid) {
                    return true;
                }
                end.countDown();
                thread.join();
            }
            return false;
        }

        private static Thread start(CompletableFuture<Integer> id, CountDownLatch end) {
            Thread thread = new Thread(() -> {
                try {
                    Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
                    id.complete(Integer.valueOf(String.valueOf(self.getFileName())));
                    end.await();
                } catch (IOException | InterruptedException problem) {
                    id.completeExceptionally(problem);
                }
            });
            thread.setDaemon(true);
            thread.start();
            return thread;
        }
    }
}
