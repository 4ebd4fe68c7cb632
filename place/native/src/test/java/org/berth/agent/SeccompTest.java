package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.SeccompFilter;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A filter that ends a process at the calls that bind: the JVM runs as it does without the agent. */
@Timeout(120)
final class SeccompTest {
    /** SystemCallFilter=~@resources of systemd. */
    private static final List<String> FILTER = SeccompFilter.prefix(
            SeccompFilter.KILL,
            "ioprio_set",
            "mbind",
            "migrate_pages",
            "move_pages",
            "sched_setaffinity",
            "sched_setattr",
            "sched_setparam",
            "sched_setscheduler",
            "set_mempolicy",
            "set_mempolicy_home_node",
            "setpriority",
            "setrlimit");

    private static final String REASON =
            ": a seccomp filter would end the process at the call sched_setaffinity: allow it"
                    + " (in a systemd unit: SystemCallFilter=sched_setaffinity); ";

    private final String cpu;

    SeccompTest() throws IOException {
        Tool.requireSuccess(under(FILTER, "true"));
        // With one CPU there is nothing to bind, and so nothing that the filter could end.
        cpu = String.valueOf(Machine.requireCpus(2)[0]);
    }

    private static String[] under(List<String> filter, String... command) {
        return Stream.concat(filter.stream(), Stream.of(command)).toArray(String[]::new);
    }

    private static List<Jdk> jdks() {
        return Jdk.all();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theJvmRunsUnboundUnlessItsAgentIsStrict(Jdk jdk) throws Exception {
        JvmCommand command = JvmCommand.of(jdk).under(under(FILTER));
        try (Jvm jvm = command.withAgent("cpus=" + cpu).start()) {
            jvm.ready();
            assertThat(ProcStatus.masks(jvm.pid()).values()).containsOnly(Machine.cpuList());
            assertThat(jvm.messages())
                    .containsExactly(
                            "berth: cannot bind this process to CPUs " + cpu + REASON + "the JVM runs on without it");
            assertThat(jvm.ask("exit 3")).isEqualTo("shutdown hook");
            assertThat(jvm.exitCode()).isEqualTo(3);
        }
        try (Jvm jvm = command.withAgent("cpus=" + cpu + ",strict").start()) {
            assertThat(jvm.exitCode()).isEqualTo(1);
            assertThat(jvm.messages()).singleElement().asString().endsWith("(option strict)");
        }
    }

    /** memfd_create is one of SystemCallFilter=~@ipc. */
    @ParameterizedTest
    @MethodSource("jdks")
    void rulesHoldWhereTheyCannotBeShown(Jdk jdk) throws Exception {
        List<String> filter = SeccompFilter.prefix(SeccompFilter.KILL, "memfd_create");
        try (Jvm jvm = JvmCommand.of(jdk)
                .under(under(filter))
                .withAgent("rule=worker-*->cpus " + cpu + ",verbose,strict")
                .start()) {
            jvm.ready();
            assertThat(ProcStatus.of(jvm.pid(), jvm.startThread("worker-1")).cpus())
                    .isEqualTo(cpu);
            Await.untilAsserted(
                    "a line",
                    () -> assertThat(jvm.messages())
                            .anyMatch(line -> line.startsWith(
                                    "berth: 'berth doctor' cannot show the thread rules: a seccomp filter"
                                            + " would end the process at the call memfd_create")));
            assertThat(jvm.ask("exit 3")).isEqualTo("shutdown hook");
            assertThat(jvm.exitCode()).isEqualTo(3);
        }
    }

    @Test
    void aCommandThatMayRunUnboundRuns() {
        for (String strict : List.of("yes", "no")) {
            Child.Result result =
                    Child.run(under(FILTER, Built.exec(), "--strict", strict, "--cpus", cpu, "--", "echo", "it ran"));
            assertThat(result.err().lines())
                    .singleElement()
                    .asString()
                    .startsWith("berth: cannot bind this process to CPUs " + cpu + REASON.replaceFirst("; $", ""));
            assertThat(result.exitCode()).isEqualTo("yes".equals(strict) ? 1 : 0);
            assertThat(result.out()).isEqualTo("yes".equals(strict) ? "" : "it ran\n");
        }
    }
}
