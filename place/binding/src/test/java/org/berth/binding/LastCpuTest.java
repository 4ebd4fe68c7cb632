package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import org.berth.binding.errors.BindingException;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The CPUs where threads and processes are and may be; taskset and ps are the oracles. */
@Timeout(120)
class LastCpuTest {
    private static final LocalMachine MACHINE = LocalMachine.open();

    private final Binder binder = MACHINE.binder();

    @Test
    void aBoundProcessIsWhereItWasBound() throws Exception {
        Tool.require("taskset");
        Tool.require("ps");
        int[] cpus = Machine.requireCpus(2);
        for (int cpu : new int[] {cpus[0], cpus[1]}) {
            try (Child child = Child.start("taskset", "-c", "" + cpu, "sleep", "600")) {
                // taskset binds itself and becomes sleep; it has its mask a moment before it is there.
                Await.until("the mask", () -> ProcStatus.of(child.pid()).cpus(), ("" + cpu)::equals);
                Await.until("the CPU " + cpu, () -> psr(child.pid()), seen -> seen == cpu);
                assertThat((Object) binder.processCpus(child.pid())).isEqualTo(CpuSet.of(cpu));
                assertThat((Object) binder.lastCpus(child.pid())).isEqualTo(CpuSet.of(cpu));
                assertThat(binder.lastCpu((int) child.pid())).isEqualTo(cpu);
            }
        }
    }

    private static int psr(long pid) throws IOException, InterruptedException {
        return Integer.parseInt(Tool.output("ps", "-o", "psr=", "-p", "" + pid).strip());
    }

    @Test
    @SuppressWarnings("try") // a scope is there to be closed
    void theOwnThreadIsSeenFromOutsideToo() {
        int cpu = MACHINE.topology().allowedCpuSet().last();
        try (BoundScope bound = binder.bindThread(CpuSet.of(cpu))) {
            assertThat(binder.currentCpu()).isEqualTo(cpu);
            assertThat(binder.lastCpu(binder.currentThreadId())).isEqualTo(cpu);
            assertThat(binder.lastCpus(ProcessHandle.current().pid()).contains(cpu))
                    .isTrue();
        }
        assertThat((Object) binder.processCpus(ProcessHandle.current().pid()))
                .isEqualTo(MACHINE.topology().allowedCpuSet());
    }

    @Test
    void whatHasEndedIsToldApart() {
        int dead = 1 << 22;
        for (Runnable question :
                new Runnable[] {() -> binder.lastCpus(dead), () -> binder.processCpus(dead), () -> binder.lastCpu(dead)
                }) {
            assertThatExceptionOfType(BindingException.class)
                    .isThrownBy(question::run)
                    .satisfies(Oracle::assertOneLine)
                    .withMessageContaining("cannot read the CPUs of");
        }
    }
}
