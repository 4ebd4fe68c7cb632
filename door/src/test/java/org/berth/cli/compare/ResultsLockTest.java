package org.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.berth.cli.CliProcess;
import org.berth.oracle.Child;
import org.junit.jupiter.api.Test;

/** A folder of results belongs to one comparison at a time; the runs' own file tells which ones ran. */
final class ResultsLockTest extends ComparisonTest {
    private String refusal() {
        return "berth: the folder for results " + results + " is in use: another comparison writes into it; ";
    }

    @Test
    void aSecondComparisonInAFolderIsRefusedBeforeItsFirstRun() throws Exception {
        Path seen = folder.resolve("seen");
        String[] work = {"--", "sh", "-c", "echo run >>" + seen + "; sleep 100"};
        String[] options = words("--levels", "none,pu", "--threads", "1", "--runs", "1");
        try (CliProcess first =
                CliProcess.start(folder, join(options, List.of("--results", results.toString()), work))) {
            first.awaitLines(seen, 1);
            for (String option : List.of("--results", "--resume")) {
                Child.Result second = CliProcess.run(folder, join(options, List.of(option, results.toString()), work));
                assertThat(second.exitCode()).isEqualTo(1);
                assertThat(second.err()).startsWith(refusal()).hasLineCount(1);
                assertThat(second.out()).isEmpty();
            }
            first.signal("INT");
            assertThat(first.finish().exitCode()).isEqualTo(1);
        }
        assertThat(seen).hasContent("run");
        String[] rest = {"--", "sh", "-c", "echo run >>" + seen + "; sleep 100"};
        Child.Result ended = CliProcess.run(
                folder, join(options, List.of("--timeout", "0.1", "--resume", results.toString()), rest));
        assertThat(ended.err()).as("the lock of a comparison that has ended").doesNotContain("in use");
    }

    /** The lock is taken by this JVM, before there are any results. */
    @Test
    void everyCommandThatMeasuresHonoursTheLock() throws Exception {
        Files.createDirectories(results);
        Path seen = folder.resolve("seen");
        List<String> run = List.of("--", "sh", "-c", "echo run >>" + seen);
        try (FileChannel file = FileChannel.open(
                        results.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            assertThat(lock.isValid()).isTrue();
            List<String> where = List.of("--results", results.toString());
            for (String[] words : List.of(
                    join(words("--levels", "none", "--arm", "a=A=1"), where, run.toArray(new String[0])),
                    join(
                            new String[] {"tune", "--levels", "none", "--runs", "14", "--arm", "a=A=1"},
                            where,
                            run.toArray(new String[0])),
                    join(new String[] {"study", "collectors", "--dry-run"}, where, new String[] {
                        "--", CliProcess.JAVA, "-version"
                    }))) {
                Child.Result refused = CliProcess.run(folder, words);
                assertThat(refused.exitCode()).as(refused.err()).isEqualTo(1);
                assertThat(refused.err()).startsWith(refusal()).hasLineCount(1);
            }
        }
        assertThat(seen).doesNotExist();
        assertThat(results.toFile().list()).containsExactly(".lock");
    }
}
