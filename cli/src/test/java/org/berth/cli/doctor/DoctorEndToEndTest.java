package org.berth.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.berth.cli.CliProcess;
import org.berth.cli.CommandLines;
import org.berth.cli.CommandLines.Result;
import org.berth.cli.LiveSubject;
import org.berth.cli.QuotaGroup;
import org.berth.machines.JsonValues;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class DoctorEndToEndTest {
    @Test
    void knowsTheMaskThatItsCommandsInherit() {
        assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
        Result result = CommandLines.fork(List.of("taskset", "-c", "0"), Map.of(), "doctor", "--json");
        assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
        Map<String, Map<?, ?>> findings = findings(result);
        assertThat(severity(findings, "affinity-mask")).isEqualTo("warning");
        assertThat(read(findings, "affinity-mask")).startsWith("its affinity mask has CPUs 0 of");
    }

    @Test
    void seesAJvmWithMoreCollectorThreadsThanCpus() throws Exception {
        try (LiveSubject jvm =
                LiveSubject.jvm(List.of("taskset", "-c", "0"), "-XX:+UseParallelGC", "-XX:ParallelGCThreads=3")) {
            Result result = CommandLines.run("doctor", jvm.pidWord(), "--json");
            assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
            Map<String, Map<?, ?>> findings = findings(result);
            assertThat(severity(findings, "gc-threads")).isEqualTo("warning");
            assertThat(read(findings, "gc-threads")).startsWith("ParallelGCThreads is 3, ");
            assertThat(severity(findings, "single-cpu")).isEqualTo("warning");
            assertThat(severity(findings, "heap-size")).isEqualTo("ok");
            assertThat(read(findings, "heap-size")).contains("64 MiB");
            assertThat(findings).doesNotContainKey("jvm-flags");
            assertThat(read(findings, "thread-masks"))
                    .startsWith("all threads alike: ")
                    .endsWith(" on CPUs 0");
        }
    }

    @Test
    void saysWhenAJvmCannotBeAsked() throws Exception {
        try (LiveSubject jvm = LiveSubject.jvm(List.of(), "-Xrs", "-XX:+UseSerialGC")) {
            Map<String, Map<?, ?>> findings = findings(CommandLines.run("doctor", "--json", jvm.pidWord()));
            assertThat(read(findings, "jvm-flags")).contains("-Xrs");
            assertThat(read(findings, "heap-size")).contains("64 MiB");
            assertThat(jvm.masks()).as("it lives").isNotEmpty();
        }
    }

    @Test
    void aProcessThatIsNoJvmIsNotAskedForFlags() throws Exception {
        try (LiveSubject sleep = LiveSubject.sleep(List.of())) {
            Map<String, Map<?, ?>> findings = findings(CommandLines.run("doctor", "--json", sleep.pidWord()));
            assertThat(findings).containsKeys("cpuset", "page-locality").doesNotContainKeys("gc-threads", "jvm-flags");
            String status = Files.readString(Path.of("/proc/" + sleep.pid() + "/status"));
            assertThat(severity(findings, "seccomp"))
                    .isEqualTo(CliProcess.field(status, "Seccomp").equals("0") ? "ok" : "info");
        }
    }

    @Test
    void seesTheQuotaOfAControlGroup() throws Exception {
        assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
        try (QuotaGroup group = QuotaGroup.ofOneCpu();
                LiveSubject sleep = LiveSubject.sleep(group.prefix())) {
            Result result = CommandLines.run("doctor", "--json", sleep.pidWord());
            assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
            Map<String, Map<?, ?>> findings = findings(result);
            assertThat(severity(findings, "cpu-quota")).isEqualTo("warning");
            assertThat(read(findings, "cpu-quota"))
                    .startsWith("control group " + group.path() + " may use the time of 1.00 CPUs");
        }
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
        Map<String, Object> json = JsonValues.object(result.out());
        assertThat(json).containsEntry("format", "berth-doctor");
        ((List<Map<?, ?>>) JsonValues.field(json, "findings"))
                .forEach(finding ->
                        byCheck.put(JsonValues.field(finding, "check").toString(), finding));
        return byCheck;
    }
}
