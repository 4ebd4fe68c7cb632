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
import org.berth.oracle.SeccompFilter;
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
                        "weighted interleave",
                        "balancing under bind",
                        "page query",
                        "page migration",
                        "all cpus",
                        "several memory nodes",
                        "exact migration count",
                        "perf events");
        assertThat(capabilities.capabilities())
                .allSatisfy(c -> assertThat(c.reason()).isNotBlank().doesNotContain("\n"));
        assertThat(here("cpu binding").available()).isTrue();
    }

    private static Capability here(String name) {
        return LocalMachine.open().capabilities().capabilities().stream()
                .filter(capability -> capability.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void countsTheNodesAsTheKernelDoes() throws IOException {
        boolean several = ProcStatus.self().nodes().matches(".*[,-].*");
        assertThat(here("several memory nodes").available()).isEqualTo(several);
    }

    /** Opens a counter of the kernel's events, as perf stat does: EACCES without the right to. */
    @Test
    void tellsWhetherThisUserMayCountTheKernelsEvents() throws IOException, InterruptedException {
        Tool.require("python3");
        String program = """
                import ctypes, platform, struct, sys
                call = {'x86_64': 298, 'aarch64': 241, 'ppc64le': 319, 'riscv64': 241}[platform.machine()]
                event = ctypes.create_string_buffer(struct.pack('IIQ', 1, 112, 1), 112)
                sys.exit(ctypes.CDLL(None).syscall(call, event, 0, -1, -1, 8) < 0)
                """;
        int code =
                new ProcessBuilder("python3", "-c", program).inheritIO().start().waitFor();
        Capability events = here("perf events");
        assertThat(events.available()).as(events.reason()).isEqualTo(code == 0);
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
                .contains("all cpus: no (a cpuset or an inherited mask allows CPUs " + cpus[0] + " and withholds "
                        + CpuSet.parseList(online).without(cpus[0]) + ")");
    }

    /** Docker's profile gives EPERM; a unit of systemd with SystemCallFilter=~@resources ends the process. */
    @ParameterizedTest
    @ValueSource(strings = {SeccompFilter.FAIL, SeccompFilter.KILL})
    void saysThatASeccompFilterForbidsMemoryPolicies(String action) throws IOException, InterruptedException {
        Map<String, String> lines =
                underSeccomp(action, "get_mempolicy", "set_mempolicy", "mbind", "migrate_pages", "move_pages");
        assertThat(lines.get("cpu binding")).startsWith("cpu binding: yes");
        assertThat(lines.get("memory policy"))
                .isEqualTo("memory policy: no (cannot read the memory policy of the calling thread:"
                        + " EPERM (operation not permitted); a seccomp filter forbids it, as container runtimes do by"
                        + " default: allow get_mempolicy, set_mempolicy, mbind and move_pages, or give CAP_SYS_NICE)");
        assertThat(lines.get("page query")).startsWith("page query: no (cannot read the nodes of memory pages: EPERM");
        assertThat(lines.get("page migration")).startsWith("page migration: no").contains("EPERM");
    }

    @ParameterizedTest
    @ValueSource(strings = {SeccompFilter.FAIL, SeccompFilter.KILL})
    void saysThatASeccompFilterForbidsBinding(String action) throws IOException, InterruptedException {
        assertThat(underSeccomp(action, "sched_setaffinity").get("cpu binding"))
                .startsWith("cpu binding: no (")
                .endsWith("EPERM (operation not permitted); a seccomp filter forbids it: allow sched_setaffinity)");
    }

    private static Map<String, String> underSeccomp(String action, String... calls)
            throws IOException, InterruptedException {
        Tool.require("perl");
        return JavaProcess.of(Print.class)
                .under(SeccompFilter.prefix(action, calls))
                .run()
                .lines()
                .collect(Collectors.toMap(line -> line.substring(0, line.indexOf(':')), Function.identity()));
    }

    /** Prints the capabilities. */
    static final class Print {
        private Print() {}

        public static void main(String[] args) {
            System.out.println(LocalMachine.open().capabilities());
        }
    }
}
