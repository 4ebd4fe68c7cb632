package org.berth.cli.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.berth.cli.CliProcess.JAVA;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.cli.CliProcess;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Processes;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes on two or more CPUs, inspected through /proc: our own getters are never the witness. */
final class SplitEndToEndTest {
    private static final CpuSet OWN = CpuSet.parseList(Machine.cpuList());

    @TempDir
    private Path folder;

    @BeforeEach
    void twoCpus() {
        assumeThat(OWN.size()).as("CPUs of this machine").isGreaterThan(1);
    }

    private CliProcess start(String... words) throws IOException {
        List<String> all = new ArrayList<>(List.of("split", "--into", "2", "--leases", "" + folder.resolve("leases")));
        all.addAll(Arrays.asList(words));
        return CliProcess.start(folder, List.of(), Map.of("WORK", folder.toString()), all.toArray(String[]::new));
    }

    private Child.Result run(String... words) throws IOException {
        try (CliProcess split = start(words)) {
            return split.finish();
        }
    }

    /** Each script writes its PID to a file of its index, atomically. */
    private static String[] script(String... lines) {
        String say =
                "echo $$ >\"$WORK/new.$BERTH_SPLIT_INDEX\"; mv \"$WORK/new.$BERTH_SPLIT_INDEX\" \"$WORK/pid.$BERTH_SPLIT_INDEX\"";
        String body = String.join("\n", lines).replace("PID", say);
        return new String[] {"--", "sh", "-c", body.replace("{", "{{").replace("}", "}}")};
    }

    private String[] with(String[] script, String... options) {
        return Stream.concat(Arrays.stream(options), Arrays.stream(script)).toArray(String[]::new);
    }

    private List<Long> pids() {
        List<Long> pids = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Path file = folder.resolve("pid." + i);
            Await.until("a process " + i, () -> Files.exists(file));
            try {
                pids.add(Long.parseLong(Files.readString(file).strip()));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
        return pids;
    }

    private static boolean ended(long pid) {
        return ProcStatus.find(pid, pid)
                .map(status -> status.field("State").startsWith("Z"))
                .orElse(true);
    }

    private static CpuSet mask(long pid) {
        return CpuSet.parseList(ProcStatus.of(pid).cpus());
    }

    @Test
    void eachProcessHasItsPartAndSaysSoBehindItsIndex() throws Exception {
        try (CliProcess split = start(script("PID", "echo out $BERTH_SPLIT_CPUS", "while :; do sleep 0.1; done"))) {
            List<Long> pids = pids();
            List<String> lines = List.of(split.readLine(), split.readLine());
            CpuSet first = mask(pids.get(0));
            CpuSet second = mask(pids.get(1));

            assertThat(first.intersects(second)).isFalse();
            assertThat(first.union(second)).isEqualTo(OWN);
            assertThat(lines).containsExactlyInAnyOrder("0 | out " + first, "1 | out " + second);
            assertThat(folder.resolve("leases").toFile().list()).hasSizeGreaterThanOrEqualTo(2);
            Await.until(
                    "both places",
                    () -> split.err().contains("berth: 1: PID ") && split.err().contains("berth: 0: PID "));
            assertThat(split.err())
                    .contains("2 processes, memory ")
                    .contains("berth: 0: PID " + pids.get(0) + ", CPUs " + first)
                    .contains("berth: 1: PID " + pids.get(1) + ", CPUs " + second);

            split.signal("TERM");
            assertThat(split.exitCode()).isEqualTo(143);
            assertThat(pids).allMatch(SplitEndToEndTest::ended);
        }
    }

    @Test
    void theWorstExitCodeCounts() throws Exception {
        Child.Result result = run(script("exit $((3 + BERTH_SPLIT_INDEX))"));
        assertThat(result.exitCode()).isEqualTo(4);
        assertThat(result.err())
                .contains("berth: 0: ended with exit code 3")
                .contains("berth: 1: ended with exit code 4");
    }

    @Test
    void aSignalReachesAllAndASecondOneKills() throws Exception {
        try (CliProcess split = start(script(
                "trap 'touch \"$WORK/asked.$BERTH_SPLIT_INDEX\"' INT",
                "trap '' TERM",
                "PID",
                "while :; do sleep 0.05; done"))) {
            List<Long> pids = pids();
            split.signal("INT");
            for (int i = 0; i < 2; i++) {
                Path asked = folder.resolve("asked." + i);
                Await.until("the signal at process " + i, () -> Files.exists(asked));
            }
            assertThat(pids).noneMatch(SplitEndToEndTest::ended);
            split.signal("INT");
            assertThat(split.exitCode()).isEqualTo(128 + 9);
            assertThat(pids).allMatch(SplitEndToEndTest::ended);
        }
    }

    @Test
    void nothingOutlivesTheSupervisor() throws Exception {
        try (CliProcess split = start(script(
                "setsid sh -c 'echo $$ >\"$WORK/orphan.$BERTH_SPLIT_INDEX\"; sleep 1000' &",
                "until [ -s \"$WORK/orphan.$BERTH_SPLIT_INDEX\" ]; do sleep 0.05; done",
                "PID",
                "wait; sleep 1000"))) {
            List<Long> all = new ArrayList<>(pids());
            for (int i = 0; i < 2; i++) {
                all.add(Long.parseLong(
                        Files.readString(folder.resolve("orphan." + i)).strip()));
            }
            assertThat(all).noneMatch(SplitEndToEndTest::ended);
            split.signal("KILL");
            Await.until("the end of all " + all, () -> all.stream().allMatch(SplitEndToEndTest::ended));
            // Their leases end with them.
            assertThat(run(script("exit 0")).exitCode()).isZero();
        }
    }

    @Test
    void aFailedProcessStartsAgainWithinALimit() throws Exception {
        Path file = folder.resolve("starts");
        Child.Result once = run(with(
                script(
                        "echo x >>\"$WORK/starts\"",
                        "test $BERTH_SPLIT_INDEX = 1 || test $(wc -l <\"$WORK/starts\") -gt 2"),
                "--restart"));
        assertThat(once.exitCode()).isZero();
        assertThat(Files.readAllLines(file)).hasSize(3);
        assertThat(once.err()).contains("berth: 0: ended with exit code 1; starts again in 1 s (restart 1 of 5)");

        Child.Result always =
                run(with(script("exit $((7 * BERTH_SPLIT_INDEX))"), "--restart=always", "--restart-limit", "1"));
        assertThat(always.exitCode()).isEqualTo(7);
        assertThat(always.err()).contains("berth: 0: ended with exit code 0; starts again in 1 s (restart 1 of 1)");
    }

    @Test
    void oneThatFailsStopsTheOthersOnRequestOnly() throws Exception {
        String[] words = script("test $BERTH_SPLIT_INDEX = 0 && exit 9", "sleep 1; echo went on");
        assertThat(run(words).out()).isEqualTo("1 | went on\n");
        Child.Result fast = run(with(script("test $BERTH_SPLIT_INDEX = 0 && exit 9", "sleep 1000"), "--fail-fast"));
        assertThat(fast.exitCode()).isEqualTo(143);
        assertThat(fast.err()).contains("berth: 0: ended with exit code 9; stopping the others (--fail-fast)");
    }

    @Test
    void aJvmHasItsHeapAndAllItsThreadsInPlaceFromBirth() throws Exception {
        try (CliProcess split = start(
                "--heap",
                "96m",
                "--memory",
                "local",
                "--",
                JAVA,
                "-Xmx{heap}",
                "-XX:+UseSerialGC",
                "-cp",
                CliProcess.CLASS_PATH,
                SplitSubject.class.getName(),
                "process-{i}-of-{n}")) {
            for (int i = 0; i < 2; i++) {
                String[] words = split.readLine().split(" ", -1);
                long pid = Long.parseLong(words[3]);
                String arguments = Processes.commandLine(pid);
                assertThat(words[2]).isEqualTo("process-" + words[0] + "-of-2");
                assertThat(words[4]).isEqualTo(Integer.toString(mask(pid).size()));
                assertThat(Long.parseLong(words[5])).isBetween(40L << 20, 48L << 20);
                assertThat(arguments).contains("-Xmx48m");
                assertThat(ProcStatus.masks(pid)).hasSizeGreaterThan(8);
                assertThat(ProcStatus.masks(pid).values())
                        .containsOnly(mask(pid).toString());
                assertThat(mask(pid).size()).isLessThan(OWN.size());
            }
            split.signal("TERM");
            assertThat(split.exitCode()).isEqualTo(143);
        }
    }

    @Test
    void onlyOnePartIsStartedInPlaceOfTheCommand() throws Exception {
        try (CliProcess split = start("--only", "1", "--", "sh", "-c", "echo $$ {i} $BERTH_SPLIT_CPUS; sleep 1000")) {
            String[] words = split.readLine().split(" ", -1);
            assertThat(Long.parseLong(words[0])).isEqualTo(split.pid());
            assertThat(words[1]).isEqualTo("1");
            assertThat(mask(split.pid())).isEqualTo(CpuSet.parseList(words[2]));
            assertThat(split.err())
                    .startsWith("berth: process 1 of 2: CPUs " + words[2])
                    .hasLineCount(1);
            split.signal("TERM");
            assertThat(split.exitCode()).isEqualTo(143);
        }
        assertThat(run("--only", "0", "--quiet", "--", "true").err()).isEmpty();
    }

    @Test
    void unboundProcessesHaveTheirNumbersAlone() throws Exception {
        try (CliProcess split = start(with(script("PID", "sleep 1000"), "--unbound"))) {
            assertThat(pids()).allSatisfy(pid -> assertThat(mask(pid)).isEqualTo(OWN));
            Await.until(
                    "both places",
                    () -> split.err().contains("berth: 1: PID ") && split.err().contains("berth: 0: PID "));
            assertThat(split.err()).contains("2 processes, not bound.").doesNotContain("as planned");
            split.signal("TERM");
            assertThat(split.exitCode()).isEqualTo(143);
        }
        assertThat(run("--unbound", "--exclusive", "--", "true").err())
                .startsWith("berth: --unbound and --exclusive exclude each other: --unbound binds nothing");
    }

    @Test
    void anExclusivePartIsNotShared() throws Exception {
        try (CliProcess split = start(with(script("PID", "sleep 1000"), "--exclusive"))) {
            pids();
            Child.Result second = run(script("echo not reached"));
            assertThat(second.exitCode()).isEqualTo(1);
            assertThat(second.out()).isEmpty();
            assertThat(second.err()).contains("0 | berth: ");
            split.signal("TERM");
            assertThat(split.exitCode()).isEqualTo(143);
        }
    }

    /** Each looks before the others have any lease. */
    @Test
    void ofExclusiveSplitsThatStartTogetherOneGetsAllParts() throws Exception {
        Path begun = folder.resolve("begun");
        List<CliProcess> splits = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                // The script is read while the next one is written.
                Path own = Files.createDirectory(folder.resolve("start-" + i));
                String[] options = {"split", "--into", "2", "--exclusive", "--leases", "" + folder.resolve("leases")};
                splits.add(CliProcess.start(
                        own,
                        Stream.of(options, script("echo " + i + " >>" + begun, "sleep 1000"))
                                .flatMap(Arrays::stream)
                                .toArray(String[]::new)));
            }
            Await.until("a part", () -> Files.exists(begun) && Files.size(begun) > 1);
            List<CliProcess> losers = new ArrayList<>(splits);
            losers.remove(Integer.parseInt(Files.readAllLines(begun).get(0)));
            for (CliProcess loser : losers) {
                Child.Result refused = loser.finish();
                assertThat(refused.exitCode()).isEqualTo(1);
                assertThat(refused.err())
                        .startsWith("berth: --exclusive: ")
                        .contains("no process was started")
                        .hasLineCount(1);
            }
            Await.until(
                    "both parts of one split", () -> Files.readAllLines(begun).size() == 2);
            assertThat(Files.readAllLines(begun).stream().distinct()).hasSize(1);
        } finally {
            splits.forEach(CliProcess::close);
        }
    }

    @Test
    void logsAndAReportAreFiles() throws Exception {
        Path report = folder.resolve("report.json");
        Child.Result result = run(with(
                script("echo out; echo err >&2; sleep 0.5"),
                "--log-dir",
                folder + "/logs",
                "--json",
                report.toString(),
                "--quiet"));
        assertThat(result.exitCode()).isZero();
        assertThat(result.out() + result.err()).isEmpty();
        for (int i = 0; i < 2; i++) {
            assertThat(Files.readAllLines(folder.resolve("logs/" + i + ".log"))).containsExactly("out", "err");
        }
        assertThat(Files.readString(report))
                .contains("\"format\" : \"berth-split\"")
                .containsPattern("\"pid\" : [1-9]")
                .contains("\"exitCode\" : 0");
    }

    @Test
    void unitsForSystemdAreTheSameProcesses() throws Exception {
        Child.Result result = run(
                "--restart",
                "--systemd",
                "worker",
                "--output",
                folder.toString(),
                "--",
                JAVA,
                "-Xmx{heap}",
                "a b",
                "50%",
                "$x",
                "q\"\\");
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        String service = Files.readString(folder.resolve("worker@.service"));
        assertThat(service)
                .contains(" split --into=2 --leases=" + folder.resolve("leases") + " --only %i -- " + JAVA
                        + " -Xmx{heap} \"a b\" \"50%%\" \"$$x\" \"q\\\"\\\\\"\n")
                .contains("Restart=on-failure\n");
        assertThat(Files.readString(folder.resolve("worker.target")))
                .contains("Wants=worker@0.service worker@1.service\n");
        Path analyze = Tool.require("systemd-analyze");
        // The program's name is a word of the PATH here, and of the berth script elsewhere.
        Files.writeString(
                folder.resolve("worker@.service"), service.replace("ExecStart=berth ", "ExecStart=/bin/true "));
        Child.Result verified = Child.run(new ProcessBuilder(
                analyze.toString(), "verify", "--man=no", folder + "/worker@0.service", folder + "/worker.target"));
        assertThat(verified.output()).doesNotContain("worker");
        assertThat(verified.exitCode()).isZero();
    }
}
