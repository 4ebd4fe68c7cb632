package org.berth.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControlGroupTest {
    private static ProcessBuilder waiting(List<String> prefix) {
        List<String> command = new java.util.ArrayList<>(prefix);
        command.addAll(List.of("sh", "-c", "echo ready; read line"));
        return new ProcessBuilder(command);
    }

    @Test
    void processesFollowTheirCpuset() {
        int[] cpus = Machine.requireCpus(2);
        String first = "" + cpus[0];
        String second = "" + cpus[1];
        try (Cpuset cpuset = Cpuset.of(first);
                Child child = Child.start(waiting(cpuset.prefix()))) {
            child.readLine();
            assertThat(ProcStatus.of(child.pid()).cpus()).isEqualTo(first);
            cpuset.set(second);
            assertThat(ProcStatus.of(child.pid()).cpus()).isEqualTo(second);
        }
    }

    @Test
    void closingEndsWhatIsLeft() {
        Child child;
        try (Cpuset cpuset = Cpuset.of("" + Machine.cpus().get(0))) {
            child = Child.start(waiting(cpuset.prefix()));
            child.readLine();
        }
        try (child) {
            assertThat(child.exitCode()).isEqualTo(128 + 9);
        }
    }

    @Test
    void aQuotaIsThatOfItsProcesses() throws Exception {
        try (Quota quota = Quota.ofCpus(1);
                Child child = Child.start(waiting(quota.prefix()))) {
            child.readLine();
            assertThat(Files.readString(Path.of("/proc/" + child.pid() + "/cgroup")))
                    .contains(":" + quota.path() + "\n");
            Child.Result processors = ChildJvm.of(Processors.class)
                    .under(quota.prefix())
                    .with("-XX:+UseContainerSupport")
                    .run();
            assertThat(processors.output()).isEqualTo("1");
        }
    }

    static final class Processors {
        private Processors() {}

        public static void main(String[] arguments) {
            System.out.println(Runtime.getRuntime().availableProcessors());
        }
    }
}
