package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.berth.oracle.Await;
import org.berth.oracle.Cpuset;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A cpuset that is rewritten under a bound JVM, as Kubernetes does it. The kernel resets the masks silently; here
 * for the version of control groups that this machine has, and in testing/numa-vm for both.
 */
@Timeout(120)
final class AgentCpusetTest {
    private static String first = "";
    private static String second = "";

    private static List<Jdk> jdks() {
        return Jdk.all();
    }

    @BeforeAll
    static void needACpuset() {
        int[] cpus = Machine.requireCpus(2);
        first = "" + cpus[0];
        second = "" + cpus[1];
    }

    private static void await(Jvm jvm, String mask) {
        Await.untilAsserted(
                "the mask " + mask,
                () -> assertThat(ProcStatus.masks(jvm.pid()).values()).containsOnly(mask));
    }

    /** Since 6.2 the kernel widens a mask only as far as it was set; the agent sets none of the JVM's threads. */
    @ParameterizedTest
    @MethodSource("jdks")
    void aJvmWithRulesAloneGrowsWithItsCpuset(Jdk jdk) throws Exception {
        try (Cpuset cpuset = Cpuset.of(first);
                Jvm jvm = JvmCommand.of(jdk)
                        .under(cpuset.prefix().toArray(String[]::new))
                        .withAgent("rule=worker-*,strict")
                        .start()) {
            jvm.ready();
            int other = jvm.startThread("other");
            cpuset.set(KernelList.of(Integer.parseInt(first), Integer.parseInt(second)));
            String both = ProcStatus.of(jvm.pid()).cpus();
            Await.untilAsserted(
                    "the mask of a thread of the JVM",
                    () -> assertThat(ProcStatus.of(jvm.pid(), other).cpus()).isEqualTo(both));
            assertThat(both).isNotEqualTo(first);
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aBoundJvmFollowsItsCpusetAndReturns(Jdk jdk) throws Exception {
        String all = Machine.cpuList();
        try (Cpuset cpuset = Cpuset.of(all);
                Jvm jvm = JvmCommand.of(jdk)
                        .under(cpuset.prefix().toArray(String[]::new))
                        .withAgent("cpus=" + first + ",rule=worker-*,strict")
                        .start()) {
            jvm.ready();
            int worker = jvm.startThread("worker-1");
            await(jvm, first);
            cpuset.set(second);
            await(jvm, second);
            awaitMessages(jvm, 1);
            assertThat(jvm.messages().get(0))
                    .contains("changed from " + all + " to " + second)
                    .contains("bound to " + second + " again");
            // What was asked for is there again: bound as before, and not to all that is allowed.
            cpuset.set(all);
            await(jvm, first);
            awaitMessages(jvm, 2);
            assertThat(jvm.messages().get(1)).contains("bound to " + first + " again");
            assertThat(ProcStatus.of(jvm.pid(), worker).cpus()).isEqualTo(first);
            assertThat(ProcStatus.of(jvm.pid(), jvm.startThread("worker-2")).cpus())
                    .isEqualTo(first);
        }
    }

    private static void awaitMessages(Jvm jvm, int count) {
        Await.untilAsserted("messages", () -> assertThat(jvm.messages()).hasSize(count));
    }
}
