package org.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.cli.CliProcess;
import org.berth.cli.CommandLines;
import org.berth.oracle.Child;
import org.berth.oracle.ExecutableFolder;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real commands before and after real runs; files that all of them write are the witnesses. */
@Tag("one-jdk")
@Timeout(600)
final class RunHooksEndToEndTest {
    private static final List<String> TWO_ARMS =
            List.of("compare", "--levels", "none,pu", "--threads", "1", "--runs", "1");

    @TempDir(factory = ExecutableFolder.class)
    private Path folder;

    private Path results;
    private Path seen;

    @BeforeEach
    void needsTwoCpus() {
        Machine.requireCpus(2);
        results = folder.resolve("results");
        seen = folder.resolve("seen");
    }

    private static String[] words(List<String> options, String... more) {
        List<String> words = new ArrayList<>(options);
        words.addAll(List.of(more));
        return words.toArray(new String[0]);
    }

    private Child.Result compare(String... more) throws IOException {
        return CliProcess.run(folder, words(TWO_ARMS, more));
    }

    @Test
    void aJobThatRunsOnceInAFolderIsComparedAndTunedWithACleanup() throws Exception {
        String out = folder.resolve("out").toString();
        Child.Result without = compare("--results", results.toString(), "--", "mkdir", out);
        assertThat(without.exitCode()).isEqualTo(1);
        assertThat(without.err()).contains("failed (exit code 1)");
        Files.delete(Path.of(out));

        String again = folder.resolve("again").toString();
        Child.Result with = compare("--cleanup", "rmdir " + out, "--results", again, "--", "mkdir", out);
        assertThat(with.exitCode()).as(with.err()).isZero();
        assertThat(Path.of(out)).doesNotExist();

        String[] race = {"tune", "--levels", "none", "--runs", "14", "--arm", "a=A=1"};
        Child.Result tuned = CliProcess.run(
                folder,
                words(
                        List.of(race),
                        "--prepare",
                        "[ ! -e " + out + " ]",
                        "--cleanup",
                        "rmdir " + out,
                        "--results",
                        folder.resolve("race").toString(),
                        "--",
                        "mkdir",
                        out));
        // Six pairs of equal arms may leave it undecided.
        assertThat(tuned.exitCode()).as(tuned.err()).isIn(0, 3);
        assertThat(tuned.err()).doesNotContain("failed");
    }

    /** The run of the arm pu has one CPU, and the commands around it have all. */
    @Test
    void preparationRunAndCleanupFollowEachOtherAndOnlyTheRunIsBound() throws Exception {
        String tell =
                " $BERTH_ARM $BERTH_ROUND $VARIABLE $(grep Cpus_allowed_list: /proc/self/status | cut -f2) >>" + seen;
        Child.Result result = CliProcess.run(
                folder,
                words(
                        List.of("compare", "--levels", "pu", "--threads", "1", "--runs", "1"),
                        "--arm",
                        "own=VARIABLE=x --level none",
                        "--warmup",
                        "2",
                        "--prepare",
                        "echo prepare" + tell,
                        "--cleanup",
                        "echo cleanup" + tell,
                        "--results",
                        results.toString(),
                        "--",
                        "sh",
                        "-c",
                        "echo run" + tell));
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.err()).contains("1 run of each and 2 warm-ups,");
        List<String> lines = Files.readAllLines(seen);
        String all = " " + Machine.cpuList();
        assertThat(lines).hasSize(3 * 2 * 3);
        for (int i = 0; i < lines.size(); i += 3) {
            boolean own = lines.get(i).contains(" own ");
            String round = i < 12 ? "0" : "1";
            String around = own ? " own " + round + " x" + all : " pu " + round + all;
            assertThat(lines.get(i)).isEqualTo("prepare" + around);
            assertThat(lines.get(i + 2)).isEqualTo("cleanup" + around);
            assertThat(lines.get(i + 1)).matches(own ? "run x" + all : "run [0-9]+");
        }
        assertThat(lines.subList(0, 12).stream().filter(line -> line.startsWith("prepare own")))
                .hasSize(2);
        assertThat(Files.readString(results.resolve("trials.jsonl"))
                        .lines()
                        .filter(line -> line.contains("\"warmUp\":true")))
                .hasSize(4);
        assertThat(results.toFile().list()).noneMatch(name -> name.contains("prepare") || name.contains("cleanup"));
    }

    @Test
    void withoutAWarmUpTheFirstRunCounts() throws Exception {
        Child.Result result = compare("--warmup", "0", "--results", results.toString(), "--", "true");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.err()).contains("1 run of each, in an order").doesNotContain("warm-up");
    }

    @Test
    void aFailedPreparationEndsTheComparisonWhichThenGoesOn() throws Exception {
        Path go = folder.resolve("go");
        String prepare = "[ -e " + go + " ] || [ $BERTH_ROUND = 0 ] || { echo no such folder; exit 3; }";
        String[] work = {"--", "sh", "-c", "echo x >>" + seen};
        Child.Result failed = compare(words(List.of("--prepare", prepare, "--results", results.toString()), work));
        assertThat(failed.exitCode()).isEqualTo(1);
        String line = failed.err().lines().reduce((first, second) -> second).orElseThrow();
        assertThat(line)
                .matches("berth: the prepare command of arm (none|pu) in round 1 ended with exit code 3, see .*"
                        + "; correct it, and continue with the same command line and --resume .*");
        Path log = Path.of(line.replaceAll(".*, see (.*?);.*", "$1"));
        assertThat(log).hasContent("no such folder");
        assertThat(Files.readAllLines(seen)).hasSize(2);

        Child.Result other = compare(words(List.of("--prepare", "true", "--resume", results.toString()), work));
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.err()).contains("cannot resume " + results, "prepare was '[ -e ", "' and is 'true'");
        Child.Result none = compare(words(List.of("--resume", results.toString()), work));
        assertThat(none.err()).contains("cannot resume " + results, "' and is ''");

        Files.createFile(go);
        Child.Result resumed = compare(words(List.of("--prepare", prepare, "--resume", results.toString()), work));
        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        assertThat(Files.readAllLines(seen)).hasSize(4);
    }

    @Test
    void theTimeLimitIsThatOfPreparationsToo() throws Exception {
        Child.Result result =
                compare("--timeout", "0.5", "--prepare", "sleep 100", "--results", results.toString(), "--", "true");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .contains("the prepare command of arm none in a warm-up took longer than 0.5 s and was ended, see ");
    }

    @Test
    void aFailedCleanupIsALineAndTheComparisonGoesOn() throws Exception {
        Child.Result result = compare("--cleanup", "exit 4", "--results", results.toString(), "--", "true");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.err()
                        .lines()
                        .filter(line -> line.startsWith("note: the cleanup command of arm ")
                                && line.contains(" ended with exit code 4, see ")))
                .hasSize(4);
    }

    @Test
    void aRunThatIsStoppedIsCleanedUp() throws Exception {
        try (CliProcess first = CliProcess.start(
                folder,
                List.of(),
                Map.of(),
                words(
                        TWO_ARMS,
                        "--cleanup",
                        "sleep 0.2; echo cleanup $BERTH_ARM >>" + seen,
                        "--results",
                        results.toString(),
                        "--",
                        "sh",
                        "-c",
                        "echo run >>" + seen + "; sleep 100"))) {
            first.awaitLines(seen, 1);
            first.signal("INT");
            Child.Result stopped = first.finish();
            assertThat(stopped.exitCode()).isEqualTo(1);
            assertThat(stopped.out()).contains("Stopped before the end");
        }
        assertThat(seen).hasContent("run\ncleanup none\n");
    }

    /** What a preparation has begun, such as a server, must not stay. */
    @Test
    void aPreparationThatIsStoppedIsCleanedUp() throws Exception {
        try (CliProcess first = CliProcess.start(
                folder,
                List.of(),
                Map.of(),
                words(
                        TWO_ARMS,
                        "--prepare",
                        "echo prepare >>" + seen + "; sleep 100",
                        "--cleanup",
                        "echo cleanup $BERTH_ARM >>" + seen,
                        "--results",
                        results.toString(),
                        "--",
                        "sh",
                        "-c",
                        "echo run >>" + seen))) {
            first.awaitLines(seen, 1);
            first.signal("INT");
            assertThat(first.finish().exitCode()).isEqualTo(1);
        }
        assertThat(seen).hasContent("prepare\ncleanup none\n");
    }

    /** A server that the preparation starts is there for the run. */
    @Test
    void whatThePreparationLeavesRunningGoesOn() throws Exception {
        Path pid = folder.resolve("pid");
        Child.Result result = compare(
                "--prepare",
                "sleep 600 & echo $! >" + pid,
                "--cleanup",
                "kill $(cat " + pid + ")",
                "--results",
                results.toString(),
                "--",
                "sh",
                "-c",
                "kill -0 $(cat " + pid + ")");
        // A note may tell of another comparison on this machine.
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.err()).doesNotContain("cleanup").doesNotContain("prepare");
    }

    @Test
    void aCommandWithoutWordsIsWrongUsage() {
        Child.Result result = CommandLines.run("compare", "--prepare", " ", "--", "true");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).startsWith("berth: --prepare has no command").hasLineCount(1);
    }
}
