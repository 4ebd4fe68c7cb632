package org.berth.observation.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.berth.observation.ChildProgram;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class JavaProcessesTest {
    @Test
    void findsJvmsAndNoOtherPrograms() throws Exception {
        int cpu = Machine.cpus().get(0);
        try (Child jvm = ChildProgram.start(Integer.toString(cpu), "sleep");
                Child shell = ChildProgram.startBusyShell(cpu)) {
            assertThat(JavaProcesses.of(Path.of("/")))
                    .contains(jvm.pid(), ProcessHandle.current().pid())
                    .doesNotContain(shell.pid());
        }
    }
}
