package org.berth.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcStatusTest {
    @Test
    void masksAreThoseOfTaskset() {
        int last = Machine.cpus().get(Machine.cpus().size() - 1);
        try (Child child = Child.start("taskset", "-c", "" + last, "sh", "-c", "echo ready; read line")) {
            child.readLine();
            assertThat(ProcStatus.of(child.pid()).cpus())
                    .isEqualTo("" + last)
                    .isEqualTo(Tool.output("taskset", "-cp", "" + child.pid()).replaceAll(".*: ", ""));
            assertThat(ProcStatus.masks(child.pid())).containsOnlyKeys((int) child.pid());
        }
        assertThat(Machine.cpus())
                .isEqualTo(KernelList.numbers(
                        Tool.output("sh", "-c", "taskset -cp $$").replaceAll(".*: ", "")));
    }

    @Test
    void aNameNeedNotBeText() {
        try (Child child = Child.start("bash", "-c", "printf 'caf\\xe9: x' >/proc/$$/comm; echo ready; read line")) {
            child.readLine();
            assertThat(ProcStatus.threads(child.pid()))
                    .singleElement()
                    .extracting(ProcStatus::name)
                    .isEqualTo("caf\ufffd: x");
        }
    }

    @Test
    void threadsMayEndMeanwhile() {
        try (Child churn = ChildJvm.of(Churn.class).start()) {
            churn.readLine();
            for (int i = 0; i < 200; i++) {
                assertThat(ProcStatus.threads(churn.pid()))
                        .extracting(ProcStatus::tid)
                        .contains((int) churn.pid());
            }
            churn.kill();
            Await.until("its end", () -> !churn.isAlive());
            assertThat(ProcStatus.find(churn.pid(), churn.pid())).isEmpty();
            assertThatThrownBy(() -> ProcStatus.threads(churn.pid())).isInstanceOf(UncheckedIOException.class);
        }
    }

    @Test
    void threadsAreFoundByName() throws InterruptedException {
        int[] tid = new int[1];
        Thread thread = new Thread(() -> tid[0] = ProcStatus.callingThread().tid(), "a thread of its own");
        thread.start();
        thread.join();
        assertThat(tid[0]).isPositive().isNotEqualTo(ProcStatus.self().tid());
        assertThat(ProcStatus.masks(ProcessHandle.current().pid(), "VM Thread"::equals))
                .hasSize(1)
                .containsValue(Machine.cpuList());
    }

    @Test
    void listsAreNumbers() {
        assertThat(KernelList.numbers("0-3,8,10-11")).isEqualTo(List.of(0, 1, 2, 3, 8, 10, 11));
        assertThat(KernelList.numbers("")).isEmpty();
        assertThat(KernelList.of(11, 3, 2, 8, 10, 0, 1)).isEqualTo("0-3,8,10-11");
        assertThat(KernelList.of()).isEmpty();
    }

    /** Threads that live for less than a millisecond. */
    static final class Churn {
        private Churn() {}

        public static void main(String[] arguments) {
            System.out.println("ready");
            while (true) {
                new Thread(() -> {}).start();
            }
        }
    }
}
