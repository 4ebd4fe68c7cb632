package org.berth.mapreduce.programs.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.cli.Options;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Command lines of a program: exit codes, one line for each fault, and the folder that is removed. */
class ProgramTest {
    @TempDir
    Path folder;

    /** Writes a file to its output, and leaves one in its folder for intermediate results. */
    private static final class Sample extends Program {
        Sample() {
            super("sample", "IN OUT", "Copies a number.");
        }

        @Override
        protected Options options() {
            return new Options()
                    .addOption(option("count", "N", "a number"))
                    .addOption(option("share", "X", "a fraction"))
                    .addOption(WorkFolder.option());
        }

        @Override
        protected void execute(CommandWords words) throws Exception {
            int count = words.number("count", 3, 1, 9);
            double share = words.real("share", 0.5, 0, 1);
            words.input(0);
            org.apache.hadoop.fs.Path out = words.output(1);
            try (WorkFolder work = WorkFolder.make(words, out, getConf())) {
                Path left = Path.of(work.path("left").toUri().getPath());
                Files.writeString(left, "left");
                if (count == 9) {
                    throw new IOException("nine\nis too many");
                }
            }
            Files.writeString(
                    Path.of(out.toUri().getPath()),
                    count + " " + share + getConf().get("suffix", ""));
        }
    }

    private record End(int code, String out, String err) {}

    private static End run(String... words) throws Exception {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream faults = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(faults, true, StandardCharsets.UTF_8));
            int code = ToolRunner.run(new Configuration(false), new Sample(), words);
            return new End(code, printed.toString(StandardCharsets.UTF_8), faults.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    private String in() throws IOException {
        return Files.writeString(folder.resolve("in"), "text").toString();
    }

    private String out() {
        return folder.resolve("out").toString();
    }

    @Test
    void optionsOfHadoopAndOfTheProgram() throws Exception {
        End end = run("-D", "suffix=!", "--count", "7", in(), out());
        assertThat(end).isEqualTo(new End(0, "", ""));
        assertThat(folder.resolve("out")).hasContent("7 0.5!");
        assertThat(folder.resolve("out.work")).doesNotExist();
    }

    @Test
    void helpListsTheOptions() throws Exception {
        End end = run("--help");
        assertThat(end.code()).isZero();
        assertThat(end.out())
                .contains("sample [generic options] [options] IN OUT", "--count <N>", "--work <FOLDER>", "-D KEY");
    }

    @Test
    void aWrongCommandLineIsOneLine() throws Exception {
        for (String[] words : new String[][] {
            {},
            {in()},
            {in(), out(), "more"},
            {"--unknown", in(), out()},
            {"--coun", "3", in(), out()},
            {"--count", "0", in(), out()},
            {"--count", "x", in(), out()},
            {"--share", "1.5", in(), out()},
            {"--share", "NaN", in(), out()},
            {folder.resolve("missing").toString(), out()},
            {in(), in()},
            {"--work", folder.toString(), in(), out()}
        }) {
            End end = run(words);
            assertThat(end.code()).as(String.join(" ", words)).isEqualTo(2);
            assertThat(end.err()).startsWith("sample: ").hasLineCount(1);
            assertThat(folder.resolve("out")).doesNotExist();
        }
    }

    @Test
    void aFailureIsOneLineAndLeavesNothing() throws Exception {
        End end = run("--count", "9", in(), out());
        assertThat(end).isEqualTo(new End(1, "", "sample: IOException: nine\n"));
        assertThat(folder.resolve("out.work")).doesNotExist();
        assertThat(run("--verbose", "--count", "9", in(), out()).err()).contains("at org.berth.");
    }
}
