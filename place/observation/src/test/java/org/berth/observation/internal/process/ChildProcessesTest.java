package org.berth.observation.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.berth.oracle.Tool;
import org.junit.jupiter.api.Test;

class ChildProcessesTest {
    @Test
    void childrenAreThoseThatPsLists() throws Exception {
        Process child = new ProcessBuilder("sleep", "600").start();
        try {
            long self = ProcessHandle.current().pid();
            assertThat(ChildProcesses.of(self).value().orElseThrow()).contains((int) child.pid());
            assertThat(Tool.output("ps", "-o", "ppid=", "-p", Long.toString(child.pid()))
                            .strip())
                    .isEqualTo(Long.toString(self));
        } finally {
            child.destroyForcibly().waitFor();
        }
        assertThat(ChildProcesses.of(child.pid()).value()).isEmpty();
    }
}
