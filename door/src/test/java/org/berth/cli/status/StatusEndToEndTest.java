package org.berth.cli.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.cli.CliProcess;
import org.berth.cli.CommandLines;
import org.berth.cli.LiveSubject;
import org.berth.cli.Main;
import org.berth.machines.JsonValues;
import org.berth.oracle.Child;
import org.berth.oracle.Child.Result;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, and what the command tells of them; the kernel's own files, taskset and numactl are the witnesses. */
@Timeout(240)
class StatusEndToEndTest {
    private static final Pattern PAGES = Pattern.compile(" N(\\d+)=(\\d+)(?= |$)");
    private static final Pattern PAGE_SIZE = Pattern.compile(" kernelpagesize_kB=(\\d+)");

    @TempDir
    private Path folder;

    private static Map<?, ?> json(String... words) {
        Result result = CommandLines.run(words);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return JsonValues.object(result.out());
    }

    /** The only process of the JSON. */
    private static Map<?, ?> state(String pid) {
        List<?> all = (List<?>) JsonValues.field(json("status", pid, "--json"), "processes");
        assertThat(all).hasSize(1);
        return (Map<?, ?>) all.get(0);
    }

    @Test
    void aJvmUnderTasksetHasTheKernelsMaskThreadsAndMemory() throws Exception {
        int[] cpus = Machine.requireCpus(2);
        Tool.require("taskset");
        try (LiveSubject jvm = LiveSubject.jvm(List.of("taskset", "-c", "" + cpus[1]))) {
            Map<?, ?> state = state(jvm.pidWord());
            String mask = Tool.output("taskset", "-pc", jvm.pidWord());
            assertThat(mask).endsWith(": " + JsonValues.field(state, "cpus"));
            assertThat(number(state, "threads"))
                    .isEqualTo(ProcStatus.threads(jvm.pid()).size());
            assertThat((List<?>) JsonValues.field(state, "masks")).hasSize(1);
            assertThat(JsonValues.field(state, "boundBy")).isEqualTo("inherited mask");
            assertThat(JsonValues.field(state, "name")).isEqualTo("LiveSubject$Program");
            assertThat(JsonValues.field(state, "user")).isEqualTo(Tool.output("id", "-un"));

            Machine.requireNuma();
            Map<String, Double> pages = numaMaps(jvm.pid());
            Map<?, ?> bytes = (Map<?, ?>) JsonValues.field(state, "bytesByNode");
            assertThat(bytes).hasSameSizeAs(pages);
            pages.forEach((node, expected) ->
                    assertThat(number(bytes, node)).as("node " + node).isCloseTo(expected, within(0.1 * expected)));
            assertThat(Files.readString(Path.of("/proc/" + jvm.pid() + "/numa_maps")))
                    .contains(" " + JsonValues.field(state, "policy") + " file=");
        }
    }

    private static double number(Map<?, ?> object, String field) {
        return ((Number) JsonValues.field(object, field)).doubleValue();
    }

    /** Bytes by node. */
    private static Map<String, Double> numaMaps(long pid) throws Exception {
        Map<String, Double> bytes = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/numa_maps"))) {
            Matcher size = PAGE_SIZE.matcher(line);
            double pageBytes = size.find() ? 1024 * Double.parseDouble(size.group(1)) : 0;
            Matcher pages = PAGES.matcher(line);
            while (pages.find()) {
                bytes.merge(pages.group(1), pageBytes * Double.parseDouble(pages.group(2)), Double::sum);
            }
        }
        return bytes;
    }

    @Test
    void aMemoryPolicyIsToldInTheKernelsWords() {
        Machine.requireNuma();
        Tool.requireSuccess("numactl", "--interleave=all", "true");
        try (LiveSubject sleep = LiveSubject.sleep(List.of("numactl", "--interleave=all"))) {
            Map<?, ?> state = state(sleep.pidWord());
            String nodes = Tool.output("numactl", "--interleave=all", "numactl", "--show")
                    .lines()
                    .filter(line -> line.startsWith("interleavemask:"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElseThrow();
            assertThat(JsonValues.field(state, "policy"))
                    .isEqualTo("interleave:"
                            + KernelList.of(Stream.of(nodes.split(" +", -1))
                                    .map(Integer::valueOf)
                                    .toList()));
            assertThat(JsonValues.field(state, "boundBy")).isIn("inherited policy", "inherited mask");
        }
    }

    @Test
    void aBoundProcessHasTheRecordOfBindUntilUnbind() {
        int[] cpus = Machine.requireCpus(2);
        try (LiveSubject sleep = LiveSubject.sleep(List.of())) {
            String before = (String) JsonValues.field(state(sleep.pidWord()), "boundBy");
            Result bound = CommandLines.run("bind", "--cpus", "" + cpus[0], "--no-move", sleep.pidWord());
            assertThat(bound.exitCode()).as(bound.err()).isZero();
            Map<?, ?> state = state(sleep.pidWord());
            assertThat(JsonValues.field(state, "boundBy")).isEqualTo("berth bind");
            assertThat(JsonValues.field(state, "cpus"))
                    .isEqualTo(ProcStatus.of(sleep.pid()).cpus());
            CommandLines.run("unbind", sleep.pidWord());
            assertThat(JsonValues.field(state(sleep.pidWord()), "boundBy")).isEqualTo(before);
        }
    }

    /** The script's process becomes the JVM, so its PID is known. */
    @Test
    void aJvmOfRunHasTheAgentAndItsLease() throws Exception {
        Map<String, String> ledger =
                Map.of("BERTH_LEASES", folder.resolve("ledger").toString());
        try (CliProcess jvm = CliProcess.start(
                        folder,
                        List.of(),
                        ledger,
                        "run",
                        "--domain",
                        "core:1",
                        "--name",
                        "etl",
                        "--",
                        CliProcess.JAVA,
                        "-cp",
                        CliProcess.CLASS_PATH,
                        LiveSubject.class.getName() + "$Program");
                CliProcess shell = CliProcess.start(
                        folder,
                        List.of(),
                        ledger,
                        "run",
                        "--domain",
                        "core:1",
                        "--",
                        "sh",
                        "-c",
                        "sleep 600 & echo child $!; wait")) {
            jvm.readUntil("ready");
            long child = Long.parseLong(shell.readUntil("child ").substring("child ".length()));
            try {
                Result result = CommandLines.fork(
                        List.of(), ledger, "status", "--json", "" + jvm.pid(), "" + shell.pid(), "" + child);
                assertThat(result.err()).isEmpty();
                List<?> all = (List<?>) JsonValues.field(JsonValues.object(result.out()), "processes");
                assertThat(all).hasSize(3);
                Map<?, ?> first = (Map<?, ?>) all.get(0);
                assertThat(JsonValues.field(first, "boundBy")).isEqualTo("agent");
                Map<?, ?> lease = (Map<?, ?>) JsonValues.field(first, "lease");
                assertThat(JsonValues.field(lease, "name")).isEqualTo("etl");
                String[] leaseFields = {"domain", "cpus"};
                assertThat(leaseFields).allMatch(field -> lease.get(field) != null);
                assertThat(ProcStatus.settledMasks(jvm.pid()))
                        .containsExactly((String) JsonValues.field(lease, "cpus"));
                for (Object other : all.subList(1, 3)) {
                    Map<?, ?> one = (Map<?, ?>) other;
                    assertThat(JsonValues.field(one, "boundBy")).isEqualTo("lease");
                    assertThat(JsonValues.field((Map<?, ?>) JsonValues.field(one, "lease"), "cpus"))
                            .isEqualTo(ProcStatus.of(child).cpus());
                }
                assertThat(((Map<?, ?>) all.get(2)).get("name")).isEqualTo("sleep");
            } finally {
                Child.run("kill", Long.toString(child));
            }
        }
    }

    @Test
    void withoutPidsAllJvmsAreShownButNotItsOwn() throws Exception {
        try (LiveSubject one = LiveSubject.jvm(List.of());
                LiveSubject other = LiveSubject.jvm(List.of());
                LiveSubject sleep = LiveSubject.sleep(List.of());
                CliProcess status = CliProcess.start(folder, List.of(), Map.of("COLUMNS", "200"), "status")) {
            long own = status.pid();
            List<String> lines = status.finish().out().lines().toList();
            assertThat(lines.get(0)).matches(" *PID +USER +NAME +THREADS +CPUS +POLICY .*REMOTE .*BOUND BY");
            assertThat(lines.stream().skip(1).map(line -> line.strip().split(" +", -1)[0]))
                    .contains(
                            one.pidWord(),
                            other.pidWord(),
                            "" + ProcessHandle.current().pid())
                    .doesNotContain(sleep.pidWord(), "" + own);
        }
    }

    @Test
    void fitsTheScreen() {
        try (LiveSubject one = LiveSubject.jvm(List.of())) {
            for (String columns : List.of("80", "200")) {
                Map<String, String> screen = new HashMap<>(Map.of("COLUMNS", columns));
                List<String> lines = CommandLines.fork(List.of(), screen, "status", one.pidWord())
                        .out()
                        .lines()
                        .toList();
                assertThat(lines).allMatch(line -> line.length() <= Integer.parseInt(columns));
                assertThat(String.join("\n", lines)).contains("LiveSubj", "BOUND BY");
            }
        }
    }

    /** Its memory and its environment are its own user's; masks and names are everybody's. */
    @Test
    void whatAnotherUserMayNotReadIsADashWithOneLine() {
        try (LiveSubject jvm = LiveSubject.jvm(List.of())) {
            Result result = ChildJvm.of(
                            Main.class,
                            "status",
                            jvm.pidWord(),
                            "" + ProcessHandle.current().pid())
                    .asNobody(folder)
                    .with("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + folder)
                    .environment("COLUMNS", "200")
                    .run();
            assertThat(result.exitCode()).as(result.err()).isZero();
            assertThat(result.err().lines().filter(line -> line.contains("numa_maps")))
                    .singleElement()
                    .asString()
                    .startsWith("berth: note: cannot see the memory of process " + jvm.pid())
                    .contains("run as the user of the process or as root", "(and of 1 other)");
            assertThat(result.out().lines().skip(1))
                    .hasSize(2)
                    .anySatisfy(line -> assertThat(line)
                            .contains(
                                    " root ",
                                    "LiveSubj",
                                    " " + ProcStatus.of(jvm.pid()).cpus() + " ")
                            .containsPattern(" - +- "));
        }
    }

    @Test
    void aPidThatDoesNotExistIsOneLine() {
        Result result = CommandLines.run("status", "4194305");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).isEqualTo("berth: cannot show: no process 4194305: /proc/4194305 does not exist\n");
    }
}
