package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.binding.records.BindingRecords;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.ReusedPid;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** PIDs are reused: what was meant for one process is not done to the next one with its PID. */
@Timeout(120)
class ProcessIdReuseTest {
    private final int[] cpus = Machine.requireCpus(2);

    @TempDir
    private Path folder;

    @BeforeEach
    void requireChoice() {
        assumeTrue(ReusedPid.isPossible(), "only root may choose the next PID");
    }

    @Test
    void aReusedProcessIdIsNotBound() throws Exception {
        expectRefusal(live -> {}, "bind", live -> live.bind(CpuSet.of(cpus[0]), Map.of()));
    }

    @Test
    void aReusedProcessIdIsNotUnbound() throws Exception {
        expectRefusal(live -> live.bind(CpuSet.of(cpus[0]), Map.of()), "unbind", LiveProcess::unbind);
    }

    @Test
    void aReusedProcessIdIsNotWidened() throws Exception {
        expectRefusal(live -> {}, "widen", LiveProcess::widen);
    }

    @Test
    void keepsItsPages() throws Exception {
        expectRefusal(live -> {}, "move the pages of", live -> live.movePages(NodeSet.of(0, 1), NodeSet.of(0)));
    }

    @Test
    void aReusedProcessIdIsNotTakenForTheOldOne() throws Exception {
        expectRefusal(live -> {}, "read the masks of", LiveProcess::masks);
        expectRefusal(live -> {}, "read the masks of", LiveProcess::topology);
    }

    /** Both processes have masks of their own, which the kernel tells. */
    private void expectRefusal(Consumer<LiveProcess> before, String operation, Consumer<LiveProcess> call)
            throws Exception {
        LiveProcess live;
        long pid;
        try (Child first = Child.start("sleep", "600")) {
            pid = first.pid();
            live = LiveProcess.of(pid, BindingRecords.below(folder));
            before.accept(live);
        }
        Child second =
                ReusedPid.start(pid, "taskset", "-c", "" + cpus[1], "cat").orElse(null);
        assumeTrue(second != null, "other processes took the PID each time");
        try (second) {
            second.send("ready");
            assertThat(second.readLine()).isEqualTo("ready");
            assertThatExceptionOfType(BindingException.class)
                    .isThrownBy(() -> call.accept(live))
                    .withMessage("cannot " + operation + " process " + pid
                            + ": it has ended, and another process has its PID now")
                    .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.ESRCH));
            assertThat(ProcStatus.masks(pid).values()).containsExactly("" + cpus[1]);
            assertThat(LiveProcess.of(pid, BindingRecords.below(folder)).record())
                    .isEmpty();
        }
    }
}
