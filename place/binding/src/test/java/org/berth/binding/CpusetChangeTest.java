package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.berth.binding.errors.BindingException;
import org.berth.oracle.Child;
import org.berth.oracle.Cpuset;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@SuppressWarnings("try") // a scope is there to be closed
class CpusetChangeTest {
    @Test
    void noticesThatTheCpusetWasNarrowedMeanwhile() throws Exception {
        int[] cpus = Machine.requireCpus(2);
        String both = cpus[0] + "," + cpus[1];
        String bothAsList = CpuSet.of(cpus[0], cpus[1]).toString();
        try (Cpuset cpuset = Cpuset.of(both)) {
            try (Child child = JavaProcess.of(BindOnCommand.class, both, String.valueOf(cpus[1]))
                    .under(cpuset.prefix())
                    .start()) {
                assertThat(child.readLine()).isEqualTo("allowed " + bothAsList);
                cpuset.set(String.valueOf(cpus[0]));
                child.send("");
                assertThat(child.readLine())
                        .isEqualTo("cannot bind the calling thread to CPUs " + bothAsList + ": the kernel made it CPUs "
                                + cpus[0] + "; the cpuset of the process has changed: open LocalMachine again");
                assertThat(child.readLine())
                        .isEqualTo("cannot bind the calling thread to CPUs " + cpus[1] + ": EINVAL (invalid argument);"
                                + " none of these CPUs is in its cpuset now:"
                                + " see Cpus_allowed_list in /proc/self/status");
                assertThat(child.readLine())
                        .isEqualTo("cannot bind the calling thread to CPUs " + bothAsList + ": the kernel made it CPUs "
                                + cpus[0] + "; the cpuset of the process has changed: open LocalMachine again");
                assertThat(child.readLine()).isEqualTo("has CPUs " + cpus[0]);
                assertThat(child.exitCode()).isZero();
            }
        }
    }

    /** Opens the machine, waits for a line, then binds to each argument, moves to the first, and prints what came of it. */
    static final class BindOnCommand {
        private BindOnCommand() {}

        public static void main(String[] args) throws IOException {
            LocalMachine machine = LocalMachine.open();
            Binder binder = machine.binder();
            System.out.println("allowed " + machine.topology().allowedCpuSet());
            if (System.in.read() < 0) {
                throw new IOException("no command");
            }
            for (String list : args) {
                try (BoundScope bound = binder.bindThread(CpuSet.parseList(list))) {
                    System.out.println("bound");
                } catch (BindingException e) {
                    System.out.println(e.getMessage());
                }
            }
            try {
                System.out.println(binder.bindThreadForGood(CpuSet.parseList(args[0])));
            } catch (BindingException e) {
                System.out.println(e.getMessage());
            }
            System.out.println("has CPUs " + ProcStatus.callingThread().cpus());
        }
    }
}
