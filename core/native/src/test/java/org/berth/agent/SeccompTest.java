package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A filter that ends a process at the calls that bind: the JVM runs as it does without the agent. */
@Tag("one-jdk")
@Timeout(120)
final class SeccompTest {
    /**
     * SystemCallFilter=~@resources of systemd, with numbers of x86_64: sched_setaffinity (203), set_mempolicy (238) and the
     * others of the group. prctl is 157.
     */
    private static final String FILTER = """
            my @numbers = (141, 142, 144, 160, 203, 237, 238, 251, 256, 279, 314, 450);
            my $filter = pack('S C C L', 0x20, 0, 0, 0);
            for my $i (0 .. $#numbers) { $filter .= pack('S C C L', 0x15, @numbers - $i, 0, $numbers[$i]); }
            $filter .= pack('S C C L', 0x06, 0, 0, 0x7fff0000) . pack('S C C L', 0x06, 0, 0, 0x80000000);
            my $program = pack('S x6 P', length($filter) / 8, $filter);
            syscall(157, 38, 1, 0, 0, 0) == 0 or die "no_new_privs: $!";
            syscall(157, 22, 2, $program, 0, 0) == 0 or die "seccomp: $!";
            exec @ARGV or die "exec: $!";
            """;

    private static final String REASON =
            ": a seccomp filter would end the process at the call sched_setaffinity: allow it"
                    + " (in a systemd unit: SystemCallFilter=sched_setaffinity); ";

    private final String cpu;

    SeccompTest() throws IOException {
        Assumptions.assumeTrue("amd64".equals(System.getProperty("os.arch")), "the filter has numbers of x86_64");
        Tool.requireSuccess("perl", "-e", FILTER, "true");
        // With one CPU there is nothing to bind, and so nothing that the filter could end.
        cpu = String.valueOf(Machine.requireCpus(2)[0]);
    }

    private static List<Jdk> jdks() {
        return Jdk.all();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theJvmRunsUnboundUnlessItsAgentIsStrict(Jdk jdk) throws Exception {
        JvmCommand command = JvmCommand.of(jdk).under("perl", "-e", FILTER);
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

    /** memfd_create (319) is one of SystemCallFilter=~@ipc. */
    @ParameterizedTest
    @MethodSource("jdks")
    void rulesHoldWhereTheyCannotBeShown(Jdk jdk) throws Exception {
        String filter = FILTER.replaceFirst("\\(141[^)]*\\)", "(319)");
        try (Jvm jvm = JvmCommand.of(jdk)
                .under("perl", "-e", filter)
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
            Child.Result result = Child.run(
                    "perl", "-e", FILTER, Built.exec(), "--strict", strict, "--cpus", cpu, "--", "echo", "it ran");
            assertThat(result.err().lines())
                    .singleElement()
                    .asString()
                    .startsWith("berth: cannot bind this process to CPUs " + cpu + REASON.replaceFirst("; $", ""));
            assertThat(result.exitCode()).isEqualTo("yes".equals(strict) ? 1 : 0);
            assertThat(result.out()).isEqualTo("yes".equals(strict) ? "" : "it ran\n");
        }
    }
}
