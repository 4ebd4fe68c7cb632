package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.berth.binding.errors.BindingException;
import org.berth.oracle.Cpuset;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // a scope is there to be closed
class LocalMachineTest {
    @Test
    void allowsWhatTheKernelAllowsThisProcess() throws IOException {
        LocalMachine machine = LocalMachine.open();
        assertThat((Object) machine.topology().allowedCpuSet()).isEqualTo(CpuSet.parseList(Machine.cpuList()));
        assertThat((Object) machine.topology().allowedNodeSet())
                .isEqualTo(NodeSet.parseList(ProcStatus.self().nodes()));
    }

    @Test
    void staysInsideTheMaskOfTaskset() throws IOException, InterruptedException {
        Tool.require("taskset");
        int[] cpus = Machine.requireCpus(2);
        for (int allowed : new int[] {cpus[0], cpus[1]}) {
            int other = allowed == cpus[0] ? cpus[1] : cpus[0];
            JavaProcess java = JavaProcess.of(AskForMore.class, String.valueOf(allowed), String.valueOf(other))
                    .under("taskset", "-c", String.valueOf(allowed));
            AskForMore.verify(java.run(), allowed, other);
        }
    }

    @Test
    void staysInsideACpusetOfOneCpu() throws IOException, InterruptedException {
        int[] cpus = Machine.requireCpus(2);
        try (Cpuset cpuset = Cpuset.of(String.valueOf(cpus[1]))) {
            JavaProcess java = JavaProcess.of(AskForMore.class, String.valueOf(cpus[1]), String.valueOf(cpus[0]))
                    .under(cpuset.prefix());
            AskForMore.verify(java.run(), cpus[1], cpus[0]);
        }
    }

    /** Binds to the one CPU that is allowed and to one that is not, and prints what happened. */
    static final class AskForMore {
        private AskForMore() {}

        public static void main(String[] args) throws IOException {
            LocalMachine machine = LocalMachine.open();
            System.out.println("allowed " + machine.topology().allowedCpuSet());
            Binder binder = machine.binder();
            try (BoundScope bound = binder.bindThread(CpuSet.parseList(args[0]))) {
                System.out.println("bound " + ProcStatus.callingThread().cpus());
            }
            attempt(() -> binder.setThreadCpusUnverified(CpuSet.parseList(args[1])));
            attempt(() -> binder.bindThread(CpuSet.parseList(args[0] + "," + args[1])));
            attempt(() -> binder.bindProcess(ProcessHandle.current().pid(), CpuSet.parseList(args[1])));
            System.out.println("after " + ProcStatus.callingThread().cpus());
        }

        private static void attempt(Runnable binding) {
            try {
                binding.run();
                System.out.println("not refused");
            } catch (BindingException e) {
                System.out.println(e.errno() + " " + e.remedy());
            }
        }

        static void verify(String lines, int allowed, int other) {
            String refusal = "0 this process may use CPUs " + allowed;
            assertThat(lines.lines())
                    .as("allowed %d, asked for %d", allowed, other)
                    .containsExactly(
                            "allowed " + allowed, "bound " + allowed, refusal, refusal, refusal, "after " + allowed);
        }
    }
}
