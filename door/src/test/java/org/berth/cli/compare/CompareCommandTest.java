package org.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.cli.CliProcess;
import org.berth.cli.CommandLines;
import org.berth.cli.UntilSeen;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Comparisons of commands that are no JVM: what taskset and the kernel's files told the command itself is the witness. */
final class CompareCommandTest extends ComparisonTest {
    @Test
    void anyCommandIsBoundAsAWhole() throws Exception {
        Child.Result result = compare(
                "--levels",
                "none,pu,core",
                "--explain",
                "--threads",
                "1",
                "--runs",
                "1",
                "--metric",
                "cpus[,higher]=^cpus ([0-9]+)",
                "--metric",
                "half[s]=^cpus ([0-9]+)",
                "--json",
                folder + "/summary.json",
                "--results",
                results.toString(),
                "--",
                "sh",
                "-c",
                WHERE + "; echo cpus $(nproc); " + UntilSeen.script(12));
        assertThat(result.exitCode()).as(result.err()).isZero();
        CpuSet all = CpuSet.parseList(output("none").lines().findFirst().orElseThrow());
        CpuSet bound = CpuSet.parseList(output("pu").lines().findFirst().orElseThrow());
        assertThat(all.size()).isGreaterThan(1);
        assertThat(bound.size()).isEqualTo(1);
        assertThat(all.contains(bound.first())).isTrue();
        // The whole command is watched, not only its JVMs.
        assertThat(result.out())
                .containsPattern("pu .* 100.0 %\n")
                .contains("RSS, ALL")
                .contains("RSS, LARGEST")
                .contains("CACHES")
                .contains("PREEMPTED");
        String json = Files.readString(folder.resolve("summary.json"));
        assertThat(json).contains("\"userSeconds\"").contains("\"counters\"").contains("\"betweenCachesSeen\"");
        assertThat(Files.readString(results.resolve("trials.jsonl")))
                .contains("\"schema\":4")
                .containsPattern("\"arm\":\"pu\".*\"metrics\":\\{\"cpus\":1\\.0,\"half\":1\\.0\\}")
                .containsPattern("\"peakRssBytes\":[1-9]");
    }

    /** Half of a machine is no better or worse a placement, and the reader sees it before the verdict. */
    @Test
    void anArmWithFewerCpusIsNamedAboveTheVerdict() throws Exception {
        Machine.requireCpus(2);
        Child.Result result = compare(
                "--levels",
                "none,pu",
                "--threads",
                "1",
                "--runs",
                "1",
                "--results",
                results.toString(),
                "--",
                "sh",
                "-c",
                WHERE);

        assertThat(result.exitCode()).as(result.err()).isZero();
        CpuSet all = CpuSet.parseList(output("none"));
        CpuSet one = CpuSet.parseList(output("pu"));
        String line = "Fewer CPUs: pu has 1 of " + all.size() + " CPUs (" + one + ").";
        assertThat(result.out()).contains(line);
        assertThat(result.out().indexOf("NOT DECIDED: pu: too few runs"))
                .isGreaterThan(result.out().indexOf(line));
    }

    /** After each round but the last what is known, and the time that is left. */
    @Test
    void progressTellsTheRatioAndTheTimeThatIsLeft() throws Exception {
        Child.Result result = compare(
                "--levels",
                "none",
                "--arm",
                "own=A=1",
                "--runs",
                "6",
                "--metric",
                "took=took ([0-9.]+)",
                "--results",
                results.toString(),
                "--",
                "sh",
                "-c",
                "echo took 1${A:-0}.00");
        assertThat(result.exitCode()).as(result.err()).isZero();
        String left = "; about [0-9.]+ s left\n";
        assertThat(result.err())
                .containsPattern("(?m)^about [0-9.]+ s left$")
                .containsPattern("after round 1/6: took / none: own 1\\.100" + left)
                .containsPattern("after round 5/6: took / none: own 1\\.100 \\(1\\.[0-9]+ to 1\\.[0-9]+\\)" + left)
                .doesNotContain("after round 6");
    }

    @Test
    void aNumberThatNoRunPrintsIsToldAboveTheVerdict() throws Exception {
        Child.Result result = compare(
                "--levels",
                "none",
                "--arm",
                "own=A=1",
                "--runs",
                "1",
                "--metric",
                "took=took ([0-9.]+)",
                "--json",
                folder + "/summary.json",
                "--results",
                results.toString(),
                "--",
                "true");
        assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
        String line = "Not printed: no run printed took (took ([0-9.]+)); the verdict is about the wall time.";
        assertThat(result.out()).contains(line);
        assertThat(result.out().indexOf("NOT DECIDED: "))
                .isGreaterThan(result.out().indexOf(line));
        assertThat(Files.readString(folder.resolve("summary.json")))
                .containsPattern("\"notPrinted\" : \\[ *\"took\" *]");
    }

    @Test
    void noFolderStaysOfArmsThatAreRefused() throws Exception {
        Child.Result two =
                compare("--levels", "none", "--arm", "none=A=1", "--results", results.toString(), "--", "true");
        assertThat(two.exitCode()).isEqualTo(2);
        assertThat(results).doesNotExist();
        Files.createDirectory(results);
        compare("--levels", "none", "--arm", "none=A=1", "--results", results.toString(), "--", "true");
        assertThat(results).as("the user's own").isEmptyDirectory();
    }

    /** What cannot be there in time ends the comparison before its first run. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -jar        | @JAVA@ -Xmx1g -cp x -jar no.jar            | A=1
            -javaagent  | true                                       | JAVA_TOOL_OPTIONS=-javaagent:no.jar
            -agentpath  | @JAVA@ -agentpath:no.jar=x Main            | A=1
            """)
    void aFileThatAnArmNeedsIsLookedFor(String option, String command, String setting) throws Exception {
        List<String> words = new ArrayList<>(List.of("--levels", "none", "--arm", "own=" + setting + " --level none"));
        words.addAll(List.of("--results", results.toString(), "--"));
        words.addAll(List.of(command.replace("@JAVA@", CliProcess.JAVA).split(" ")));
        Child.Result result = compare(words.toArray(String[]::new));
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .containsPattern(
                        "(?m)^berth: arm (none|own) needs no.jar \\(" + option + "\\), which does not exist; ");
        assertThat(results).doesNotExist();
    }

    /** Java threads of any name are bound one by one, and the JVM as a whole keeps all CPUs. */
    @Test
    void inABareJvmEachJavaThreadHasItsPlace() throws Exception {
        Child.Result result = compare(
                "--levels",
                "none,core",
                "--runs",
                "1",
                "--results",
                results.toString(),
                "--",
                CliProcess.JAVA,
                "-XX:TieredStopAtLevel=1",
                "-cp",
                CliProcess.CLASS_PATH,
                MaskSubject.class.getName());

        assertThat(result.exitCode()).as(result.err()).isZero();
        CpuSet all = CpuSet.parseList(output("none").lines().findFirst().orElseThrow());
        List<CpuSet> threads = output("core").lines().map(CpuSet::parseList).toList();
        assertThat(output("none").lines()).hasSize(4).containsOnly(all.toString());
        assertThat(threads).hasSize(4);
        // On a machine without SMT a core is a CPU; with it, less than all in any case.
        assertThat(threads).allMatch(cpus -> cpus.size() < all.size());
        assertThat(threads.stream().reduce(CpuSet.empty(), CpuSet::union).size())
                .isGreaterThan(1);
    }

    @Test
    void armsOfOnesOwnAreThoseOfRun() throws Exception {
        Child.Result result = compare(
                "--levels",
                "none",
                "--runs",
                "1",
                "--arm",
                "mine=GREETING='hello there' --level pu --threads 1 --cpus " + lastCpu(),
                "--arm",
                "leased=--domain core:1 --leases " + folder.resolve("leases"),
                "--arm",
                "only env=GREETING=hi",
                "--numactl",
                "--results",
                results.toString(),
                "--",
                "sh",
                "-c",
                WHERE + "; echo \"$GREETING\"");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(output("mine")).isEqualTo(lastCpu() + "\nhello there");
        assertThat(output("leased")).startsWith("berth: core");
        assertThat(output("only_env").lines()).containsExactly(output("none").strip(), "hi");
        boolean severalNodes = Files.exists(Path.of("/sys/devices/system/node/node1"));
        assertThat(result.out().contains("Not run: numactl: only one NUMA node"))
                .isNotEqualTo(severalNodes);
    }

    /** A terminal sends ^C to the command as well, which then ends by itself. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStoppedComparisonShowsItsTableAndGoesOn(boolean terminal) throws Exception {
        Path go = folder.resolve("go");
        Path ran = folder.resolve("ran");
        // The third run waits for a file that is not there before the second start.
        String script = "echo x >>" + ran + "; [ $(wc -l <" + ran + ") != 3 ] || [ -e " + go + " ] || sleep 100";
        String[] work = {"--", "sh", "-c", script};
        String[] options = {"compare", "--levels", "none,pu", "--threads", "1", "--runs", "1"};
        String order;
        try (CliProcess first = CliProcess.start(
                folder, List.of("setsid"), Map.of(), join(options, List.of("--results", results.toString()), work))) {
            first.awaitLines(ran, 3);
            if (terminal) {
                Tool.requireSuccess("kill", "-INT", "--", "-" + first.pid());
            } else {
                first.signal("INT");
            }
            Child.Result stopped = first.finish();
            assertThat(stopped.exitCode()).isEqualTo(1);
            assertThat(stopped.out())
                    .contains("Stopped before the end")
                    .contains(" --resume " + results + " instead of --results ")
                    .contains("ARM");
            assertThat(stopped.err()).doesNotContain("internal error");
            order = stopped.err()
                    .lines()
                    .filter(line -> line.contains("in an order drawn by seed "))
                    .findFirst()
                    .orElseThrow();
        }
        Files.createFile(go);
        Child.Result resumed = CliProcess.run(folder, join(options, List.of("--resume", results.toString()), work));
        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        assertThat(resumed.err()).doesNotContain("warm-up  ").contains(order, "round 1/1");
        assertThat(Files.readAllLines(ran)).hasSize(5);
        Child.Result other = CliProcess.run(
                folder, join(options, List.of("--resume", results.toString()), new String[] {"--", "true"}));
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.err()).contains("cannot resume " + results).contains("command of none was 'sh -c echo x");
    }

    @Test
    void aRunThatTakesTooLongIsShown() throws Exception {
        Child.Result result = compare(
                "--levels",
                "none,pu",
                "--threads",
                "1",
                "--runs",
                "1",
                "--timeout",
                "0.5",
                "--results",
                results.toString(),
                "--",
                "sleep",
                "100");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("took longer than 0.5 s and was ended");
    }

    @Test
    void cachesThatMayNotBeDroppedAreWrongUsage() {
        Path setting = Path.of("/proc/sys/vm/drop_caches");
        String readOnly = "mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys && exec \"$@\"";
        List<String> before = List.of();
        if (Files.isWritable(setting)) {
            // Root may write it; in a view of its own it is as closed as in most containers.
            before = List.of("unshare", "--mount", "sh", "-c", readOnly, "sh");
            Tool.requireSuccess("unshare", "--mount", "sh", "-c", readOnly, "sh", "true");
        }
        Child.Result result = CommandLines.fork(
                before, Map.of(), "compare", "--levels", "none,pu", "--threads", "1", "--drop-caches", "--", "true");
        assertThat(result.exitCode()).isEqualTo(2);
        // Another test may be comparing under other settings of the kernel, which is told first.
        assertThat(result.err().replaceAll("(?m)^berth: note: these runs are disturbed: .*\n", ""))
                .hasLineCount(1)
                .contains("--drop-caches: /proc/sys/vm/drop_caches may not be written; run as root");
    }

    private static String lastCpu() {
        List<Integer> cpus = Machine.cpus();
        return cpus.get(cpus.size() - 1).toString();
    }
}
