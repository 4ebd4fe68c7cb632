package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BindingCapabilitiesTest {
    @Test
    void everyCapabilityHasAReason() {
        BindingCapabilities capabilities = LocalMachine.open().capabilities();
        assertThat(capabilities.capabilities())
                .extracting(Capability::name)
                .containsExactly(
                        "discovery",
                        "native library",
                        "cpu binding",
                        "thread ids",
                        "memory policy",
                        "page query",
                        "page migration",
                        "all cpus",
                        "several memory nodes",
                        "exact migration count",
                        "perf events");
        assertThat(capabilities.capabilities())
                .allSatisfy(c -> assertThat(c.reason()).isNotBlank().doesNotContain("\n"));
        assertThat(capabilities.find("cpu binding").orElseThrow().available()).isTrue();
        assertThat(capabilities.find("telepathy")).isEmpty();
    }

    @Test
    void countsTheNodesAsTheKernelDoes() throws IOException {
        boolean several = ProcStatus.self().nodes().matches(".*[,-].*");
        assertThat(LocalMachine.open()
                        .capabilities()
                        .find("several memory nodes")
                        .orElseThrow()
                        .available())
                .isEqualTo(several);
    }

    @Test
    void saysWhatAMaskKeepsBack() throws IOException, InterruptedException {
        Tool.require("taskset");
        int[] cpus = Machine.requireCpus(2);
        String online =
                Files.readString(Path.of("/sys/devices/system/cpu/online")).strip();
        assertThat(JavaProcess.of(Print.class)
                        .under("taskset", "-c", String.valueOf(cpus[0]))
                        .run()
                        .lines())
                .contains("all cpus: no (a cpuset or an inherited mask leaves CPUs " + cpus[0] + " and keeps back "
                        + CpuSet.parseList(online).without(cpus[0]) + ")");
    }

    /** Docker's profile gives EPERM; a unit of systemd with SystemCallFilter=~@resources ends the process. */
    @ParameterizedTest
    @ValueSource(strings = {"0x00050001", "0x80000000"})
    void saysThatASeccompFilterForbidsMemoryPolicies(String action) throws IOException, InterruptedException {
        Map<String, String> lines = underSeccomp("237, 238, 239, 256, 279", action);
        assertThat(lines.get("cpu binding")).startsWith("cpu binding: yes");
        assertThat(lines.get("memory policy"))
                .isEqualTo("memory policy: no (cannot read the memory policy of the calling thread:"
                        + " EPERM (operation not permitted); a seccomp filter forbids it, as container runtimes do by"
                        + " default: allow get_mempolicy, set_mempolicy, mbind and move_pages, or give CAP_SYS_NICE)");
        assertThat(lines.get("page query")).startsWith("page query: no (cannot read the nodes of memory pages: EPERM");
        assertThat(lines.get("page migration")).startsWith("page migration: no").contains("EPERM");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x00050001", "0x80000000"})
    void saysThatASeccompFilterForbidsBinding(String action) throws IOException, InterruptedException {
        assertThat(underSeccomp("203", action).get("cpu binding"))
                .startsWith("cpu binding: no (")
                .endsWith("EPERM (operation not permitted); a seccomp filter forbids it: allow sched_setaffinity)");
    }

    private static Map<String, String> underSeccomp(String numbers, String action)
            throws IOException, InterruptedException {
        Tool.require("perl");
        String architecture = System.getProperty("os.arch");
        org.junit.jupiter.api.Assumptions.assumeTrue(
                "amd64".equals(architecture), "the filter has numbers of x86_64, this is " + architecture);
        return JavaProcess.of(Print.class)
                .under("perl", "-e", SECCOMP.replace("NUMBERS", numbers).replace("ACTION", action))
                .run()
                .lines()
                .collect(Collectors.toMap(line -> line.substring(0, line.indexOf(':')), Function.identity()));
    }

    @Test
    void saysThatTheNativeLibraryIsMissing() throws IOException, InterruptedException {
        assertThat(JavaProcess.of(Print.class)
                        .option("-Dorg.berth.native.path=/nonexistent")
                        .run()
                        .lines())
                .contains(
                        "native library: no (cannot find /nonexistent: there is no such file;"
                                + " correct -Dorg.berth.native.path)",
                        "cpu binding: no (the native library is not there)",
                        "page query: no (the native library is not there)");
    }

    /**
     * An action for some system calls; everything else is allowed. sched_setaffinity is 203, mbind 237, set_mempolicy 238,
     * get_mempolicy 239, migrate_pages 256, move_pages 279, prctl 157.
     */
    private static final String SECCOMP = """
            my @numbers = (NUMBERS);
            my $filter = pack('S C C L', 0x20, 0, 0, 0);
            for my $i (0 .. $#numbers) { $filter .= pack('S C C L', 0x15, @numbers - $i, 0, $numbers[$i]); }
            $filter .= pack('S C C L', 0x06, 0, 0, 0x7fff0000) . pack('S C C L', 0x06, 0, 0, ACTION);
            my $program = pack('S x6 P', length($filter) / 8, $filter);
            syscall(157, 38, 1, 0, 0, 0) == 0 or die "no_new_privs: $!";
            syscall(157, 22, 2, $program, 0, 0) == 0 or die "seccomp: $!";
            exec @ARGV or die "exec: $!";
            """;

    /** Prints the capabilities. */
    static final class Print {
        private Print() {}

        public static void main(String[] args) {
            System.out.println(LocalMachine.open().capabilities());
        }
    }
}
