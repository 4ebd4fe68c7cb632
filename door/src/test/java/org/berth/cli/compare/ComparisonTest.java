package org.berth.cli.compare;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.CliProcess;
import org.berth.oracle.Child;
import org.berth.oracle.ExecutableFolder;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What tests of comparisons have in common: a folder for scripts and one for results. */
@Tag("one-jdk")
@Timeout(600)
abstract class ComparisonTest {
    /** Prints the CPUs of a shell as taskset sees them. */
    static final String WHERE = "taskset -cp $$ | sed 's/.*: //'";

    @TempDir(factory = ExecutableFolder.class)
    Path folder;

    Path results;

    @BeforeEach
    final void needsTwoCpus() {
        Machine.requireCpus(2);
        results = folder.resolve("results");
    }

    final Child.Result compare(String... options) throws Exception {
        return CliProcess.run(folder, words(options));
    }

    static String[] words(String... options) {
        List<String> words = new ArrayList<>(List.of("compare"));
        words.addAll(List.of(options));
        return words.toArray(new String[0]);
    }

    /** What the run of an arm in round 1 printed. */
    final String output(String arm) throws IOException {
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(results, "*-round-1-" + arm + ".log")) {
            return Files.readString(logs.iterator().next()).strip();
        }
    }

    static String[] join(String[] options, List<String> more, String[] work) {
        List<String> words = new ArrayList<>(List.of(options));
        words.addAll(more);
        words.addAll(List.of(work));
        return words.toArray(new String[0]);
    }
}
