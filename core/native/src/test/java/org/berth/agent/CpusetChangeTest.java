package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A cpuset that is rewritten under a bound JVM, as Kubernetes does it. The kernel resets the masks without a word; here
 * for cgroup v1, which this machine may have, and in testing/numa-vm for v2.
 */
@Timeout(120)
final class CpusetChangeTest {
    private static final Path PARENT = Path.of("/sys/fs/cgroup/cpuset");
    private static String first = "";
    private static String second = "";

    private static List<Jdk> jdks() {
        return Jdk.all();
    }

    @BeforeAll
    static void needACpuset() throws IOException {
        assumeTrue(Files.isWritable(PARENT.resolve("cpuset.cpus")), "needs a writable cgroup v1 cpuset");
        assumeTrue(Kernel.cpus().size() > 1, "needs two CPUs");
        first = "" + Kernel.cpus().get(0);
        second = "" + Kernel.cpus().get(1);
    }

    private static void await(Jvm jvm, String mask) throws Exception {
        Collection<String> found = Kernel.masks(jvm.pid()).values();
        for (int i = 0; i < 1200 && !found.stream().allMatch(mask::equals); i++) {
            Thread.sleep(50);
            found = Kernel.masks(jvm.pid()).values();
        }
        assertThat(found).containsOnly(mask);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aBoundJvmFollowsItsCpusetAndReturns(Jdk jdk) throws Exception {
        Path group = Files.createDirectory(
                PARENT.resolve("berth-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime()));
        try {
            String all =
                    Files.readString(PARENT.resolve("cpuset.effective_cpus")).strip();
            Files.writeString(group.resolve("cpuset.mems"), Files.readString(PARENT.resolve("cpuset.effective_mems")));
            Files.writeString(group.resolve("cpuset.cpus"), all);
            JvmCommand command = JvmCommand.of(jdk)
                    .under("sh", "-c", "echo $$ > " + group.resolve("cgroup.procs") + " && exec \"$@\"", "enter")
                    .withAgent("cpus=" + first + ",rule=worker-*,strict");
            try (Jvm jvm = command.start()) {
                jvm.ready();
                int worker = jvm.startThread("worker-1");
                await(jvm, first);
                Files.writeString(group.resolve("cpuset.cpus"), second);
                await(jvm, second);
                awaitMessages(jvm, 1);
                assertThat(jvm.messages().get(0))
                        .contains("changed from " + all + " to " + second)
                        .contains("bound to " + second + " again");
                // What was asked for is there again: bound as before, and not to all that is allowed.
                Files.writeString(group.resolve("cpuset.cpus"), all);
                await(jvm, first);
                awaitMessages(jvm, 2);
                assertThat(jvm.messages().get(1)).contains("bound to " + first + " again");
                assertThat(Kernel.maskOfThread(jvm.pid(), worker)).isEqualTo(first);
                assertThat(Kernel.maskOfThread(jvm.pid(), jvm.startThread("worker-2")))
                        .isEqualTo(first);
            }
        } finally {
            remove(group);
        }
    }

    private static void awaitMessages(Jvm jvm, int count) throws Exception {
        for (int i = 0; i < 1200 && jvm.messages().size() < count; i++) {
            Thread.sleep(50);
        }
        assertThat(jvm.messages()).hasSize(count);
    }

    /** The kernel removes a dead process from its group a moment after it was waited for. */
    private static void remove(Path group) throws Exception {
        for (int i = 0;
                i < 3000 && !Files.readString(group.resolve("cgroup.procs")).isEmpty();
                i++) {
            Thread.sleep(20);
        }
        Files.delete(group);
    }
}
