package org.berth.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.cli.CommandLines;
import org.berth.cli.LiveSubject;
import org.berth.cli.Main;
import org.berth.machines.JsonValues;
import org.berth.oracle.Await;
import org.berth.oracle.Child.Result;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Quota;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(240)
class DoctorEndToEndTest {
    private static final String FIRST = Machine.cpus().get(0).toString();

    @Test
    void knowsTheMaskThatItsCommandsInherit() {
        Machine.requireCpus(2);
        Result result = CommandLines.fork(List.of("taskset", "-c", FIRST), Map.of(), "doctor", "--json");
        assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
        Map<String, Map<?, ?>> findings = findings(result);
        assertThat(severity(findings, "affinity-mask")).isEqualTo("warning");
        assertThat(read(findings, "affinity-mask")).startsWith("the affinity mask has CPUs " + FIRST + " of");
    }

    @Test
    void seesAJvmWithMoreCollectorThreadsThanCpus() throws Exception {
        try (LiveSubject jvm =
                LiveSubject.jvm(List.of("taskset", "-c", FIRST), "-XX:+UseParallelGC", "-XX:ParallelGCThreads=3")) {
            Result result = CommandLines.run("doctor", jvm.pidWord(), "--json");
            assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
            Map<String, Map<?, ?>> findings = findings(result);
            assertThat(severity(findings, "gc-threads")).isEqualTo("warning");
            assertThat(read(findings, "gc-threads")).startsWith("ParallelGCThreads is 3, ");
            assertThat(severity(findings, "single-cpu")).isEqualTo("warning");
            assertThat(severity(findings, "heap-size")).isEqualTo("ok");
            assertThat(read(findings, "heap-size")).contains("64 MiB");
            assertThat(findings).doesNotContainKey("jvm-flags");
            assertThat(read(findings, "jvm-huge-pages"))
                    .startsWith("the heap has ")
                    .contains(" in memory: ");
            assertThat(read(findings, "thread-masks"))
                    .startsWith("all threads have the same mask: ")
                    .endsWith(" on CPUs " + FIRST);
        }
    }

    @Test
    void listsTheThreadsOfEachRule() throws Exception {
        String rules =
                "cpus=" + Machine.cpuList() + ",rule=" + LiveSubject.LONG_NAME + "*,rule=a-typo->process,rule=typo*";
        String agent = "-agentpath:" + NativeLibrary.file() + "=" + rules;
        try (LiveSubject jvm = LiveSubject.jvm(List.of(), agent + ",unmatched=1")) {
            Await.untilAsserted(
                    "a warning",
                    () -> assertThat(severity(
                                    findings(CommandLines.run("doctor", jvm.pidWord(), "--json")), "thread-rules"))
                            .isEqualTo("warning"));
            assertThat(read(findings(CommandLines.run("doctor", jvm.pidWord(), "--json")), "thread-rules"))
                    .isEqualTo(
                            "'" + LiveSubject.LONG_NAME + "*' -> slot: " + LiveSubject.WORKERS + " threads; 'a-typo' ->"
                                    + " process: no thread so far; 'typo*' -> slot: no thread so far");
        }
    }

    @Test
    void saysWhenAJvmCannotBeAsked() throws Exception {
        try (LiveSubject jvm = LiveSubject.jvm(List.of(), "-Xrs", "-XX:+UseSerialGC")) {
            Map<String, Map<?, ?>> findings = findings(CommandLines.run("doctor", "--json", jvm.pidWord()));
            assertThat(read(findings, "jvm-flags")).contains("-Xrs");
            assertThat(read(findings, "jvm-huge-pages")).contains("-Xrs");
            assertThat(read(findings, "heap-size")).contains("64 MiB");
            assertThat(jvm.masks()).as("it lives").isNotEmpty();
        }
    }

    @Test
    void aProcessThatIsNoJvmIsNotAskedForFlags() throws Exception {
        try (LiveSubject sleep = LiveSubject.sleep(List.of())) {
            Map<String, Map<?, ?>> findings = findings(CommandLines.run("doctor", "--json", sleep.pidWord()));
            assertThat(findings)
                    .containsKeys("cpuset", "page-locality", "numa-balancing", "cache-aware-scheduling", "sched-ext")
                    .doesNotContainKeys("gc-threads", "jvm-flags");
            assertThat(severity(findings, "seccomp"))
                    .isEqualTo(ProcStatus.of(sleep.pid()).field("Seccomp").equals("0") ? "ok" : "info");
        }
    }

    @Test
    void seesTheQuotaOfAControlGroup() throws Exception {
        Machine.requireCpus(2);
        try (Quota group = Quota.ofCpus(1);
                LiveSubject sleep = LiveSubject.sleep(group.prefix())) {
            Result result = CommandLines.run("doctor", "--json", sleep.pidWord());
            assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
            Map<String, Map<?, ?>> findings = findings(result);
            assertThat(severity(findings, "cpu-quota")).isEqualTo("warning");
            assertThat(read(findings, "cpu-quota"))
                    .startsWith("control group " + group.path() + " has the CPU time of 1.00 CPUs");
        }
    }

    /** The oracle is the kernel's own files; a finding may not claim what they do not say. */
    @Test
    void namesWhatTheKernelDoesByItself() {
        Map<String, Map<?, ?>> findings = findings(CommandLines.run("doctor", "--json"));
        assertThat(read(findings, "sched-ext").startsWith("this kernel has no sched_ext"))
                .isEqualTo(!Files.exists(Path.of("/sys/kernel/sched_ext/state")));
        assertThat(read(findings, "numa-balancing").startsWith("this kernel has no automatic NUMA balancing"))
                .isEqualTo(!Files.exists(Path.of("/proc/sys/kernel/numa_balancing")));
        if (Files.exists(Path.of("/sys/kernel/debug/sched/llc_balancing/enabled"))) {
            assertThat(read(findings, "cache-aware-scheduling")).doesNotContain("not known", "does not have it");
        }
    }

    /** When all of it is read, this machine has two CPUs and the mask one of them. */
    @Test
    void withoutSysNothingOfItIsOk() {
        Machine.requireCpus(2);
        Map<String, Map<?, ?>> findings = hidden("mount -t tmpfs none /sys", List.of("taskset", "-c", FIRST));
        for (String check : List.of(
                "cpuset",
                "cpu-quota",
                "affinity-mask",
                "isolated-cpus",
                "smt",
                "offline-cpus",
                "cpu-governor",
                "huge-pages",
                "sched-ext",
                "disk-and-network-interrupts")) {
            assertThat(severity(findings, check)).as(check).isEqualTo("unknown");
            assertThat(read(findings, check)).as(check).contains("not known: ", "/sys");
        }
        assertThat(read(findings, "affinity-mask")).startsWith("the affinity mask has CPUs " + FIRST + "; ");
    }

    /** One file as a user without rights finds it: readable, not there, and closed. */
    @Test
    void anotherUserIsToldWhatIsReadWhatIsAbsentAndWhatIsRefused(@TempDir Path folder) {
        ChildJvm doctor = ChildJvm.of(Main.class, "doctor", "--json")
                .with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED")
                .asNobody(folder);
        Map<String, Map<?, ?>> read = withHugePages(doctor, "echo '[never] madvise' >enabled");
        assertThat(severity(read, "huge-pages")).isEqualTo("info");
        assertThat(read(read, "huge-pages")).startsWith("transparent huge pages: never");
        Map<String, Map<?, ?>> absent = withHugePages(doctor, "echo 1 >other");
        assertThat(severity(absent, "huge-pages")).isEqualTo("info");
        assertThat(read(absent, "huge-pages")).startsWith("transparent huge pages: not in this kernel");
        Map<String, Map<?, ?>> refused = withHugePages(doctor, "touch enabled && chmod 0 enabled");
        assertThat(severity(refused, "huge-pages")).isEqualTo("unknown");
        assertThat(read(refused, "huge-pages"))
                .isEqualTo("not known: /sys/kernel/mm/transparent_hugepage/enabled cannot be read: EACCES (permission"
                        + " denied)");
    }

    private static Map<String, Map<?, ?>> withHugePages(ChildJvm doctor, String script) {
        String make = "mount -t tmpfs none /sys/kernel/mm && mkdir /sys/kernel/mm/transparent_hugepage && (cd"
                + " /sys/kernel/mm/transparent_hugepage && " + script + ") && exec \"$@\"";
        List<String> command = new ArrayList<>(List.of("unshare", "-m", "sh", "-c", make, "sh"));
        command.addAll(doctor.command());
        return findings(CommandLines.start(command, Map.of()));
    }

    @Test
    void hiddenControlGroupsAreNotKnown() {
        Map<String, Map<?, ?>> findings = hidden("mount -t tmpfs none /sys/fs/cgroup", List.of());
        assertThat(severity(findings, "cpuset")).isEqualTo("unknown");
        assertThat(severity(findings, "cpu-quota")).isEqualTo("unknown");
        assertThat(read(findings, "cpu-quota")).endsWith(" has no control groups");
    }

    @Test
    void aQuotaAboveTheTopOfACgroupNamespaceIsNotKnown() throws Exception {
        Machine.requireCpus(2);
        try (Quota group = Quota.ofCpus(1)) {
            List<String> prefix = new ArrayList<>(group.prefix());
            prefix.add("unshare");
            prefix.add("-C");
            Map<String, Map<?, ?>> findings = findings(CommandLines.fork(prefix, Map.of(), "doctor", "--json"));
            assertThat(severity(findings, "cpu-quota")).isEqualTo("unknown");
            assertThat(read(findings, "cpu-quota")).contains("cgroup namespace");
        }
    }

    @Test
    void hiddenProcessesMayBeIrqbalance() {
        Map<String, Map<?, ?>> findings = hidden("mount -t proc -o hidepid=2 proc /proc", WITHOUT_RIGHTS);
        assertThat(severity(findings, "irqbalance")).isEqualTo("unknown");
        assertThat(read(findings, "irqbalance")).contains("hidepid");
    }

    @Test
    void aProcessOfAnotherUserIsNotKnown() throws Exception {
        requireRoot();
        try (LiveSubject jvm = LiveSubject.jvm(List.of(), "-XX:+UseSerialGC")) {
            Map<String, Map<?, ?>> findings =
                    findings(CommandLines.fork(WITHOUT_RIGHTS, Map.of(), "doctor", "--json", jvm.pidWord()));
            assertThat(severity(findings, "page-locality")).isEqualTo("unknown");
            assertThat(severity(findings, "jvm")).isEqualTo("unknown");
            assertThat(read(findings, "jvm")).contains("/proc/" + jvm.pid() + "/maps may not be read");
        }
    }

    /** Runs as a user with other rights than the examined process, who can still read the classes of this test. */
    private static final List<String> WITHOUT_RIGHTS =
            List.of("setpriv", "--regid=65534", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all");

    private static void requireRoot() {
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
    }

    private static Map<String, Map<?, ?>> hidden(String mount, List<String> prefix) {
        requireRoot();
        List<String> command = new ArrayList<>(List.of("unshare", "-m", "sh", "-c", mount + " && exec \"$@\"", "sh"));
        command.addAll(prefix);
        Result result = CommandLines.fork(command, Map.of(), "doctor", "--json");
        return findings(result);
    }

    private static String severity(Map<String, Map<?, ?>> findings, String check) {
        return JsonValues.field(Objects.requireNonNull(findings.get(check)), "severity")
                .toString();
    }

    private static String read(Map<String, Map<?, ?>> findings, String check) {
        return JsonValues.field(Objects.requireNonNull(findings.get(check)), "read")
                .toString();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Map<?, ?>> findings(Result result) {
        Map<String, Map<?, ?>> byCheck = new TreeMap<>();
        assertThat(result.out()).as(result.err()).isNotEmpty();
        Map<String, Object> json = JsonValues.object(result.out());
        assertThat(json).containsEntry("format", "berth-doctor");
        ((List<Map<?, ?>>) JsonValues.field(json, "findings"))
                .forEach(finding ->
                        byCheck.put(JsonValues.field(finding, "check").toString(), finding));
        return byCheck;
    }
}
