package org.berth.mapreduce.programs.shared;

import java.io.IOException;
import java.util.Optional;
import org.apache.commons.cli.CommandLine;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The words of a program's command line, read as what they have to be; a wrong one is a {@link UsageException}. Immutable. */
public final class CommandWords {
    private final CommandLine line;
    private final Configuration conf;

    CommandWords(CommandLine line, Configuration conf) {
        this.line = line;
        this.conf = conf;
    }

    /** Whether the option is there. */
    public boolean has(String option) {
        return line.hasOption(option);
    }

    /** The value of an option. */
    public Optional<String> text(String option) {
        return Optional.ofNullable(line.getOptionValue(option));
    }

    /** A whole number from {@code least} to {@code greatest}. */
    public int number(String option, int otherwise, int least, int greatest) {
        return (int) longNumber(option, otherwise, least, greatest);
    }

    /** The same for larger numbers. */
    public long longNumber(String option, long otherwise, long least, long greatest) {
        Optional<String> text = text(option);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(text.get());
            if (number >= least && number <= greatest) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The same message.
        }
        throw new UsageException(
                "--" + option + " " + text.get() + ": give a whole number from " + least + " to " + greatest);
    }

    /** A number from {@code least} to {@code greatest}. */
    public double real(String option, double otherwise, double least, double greatest) {
        Optional<String> text = text(option);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            double number = Double.parseDouble(text.get());
            if (number >= least && number <= greatest) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The same message.
        }
        throw new UsageException(
                "--" + option + " " + text.get() + ": give a number from " + least + " to " + greatest);
    }

    /** A file or folder that exists, which the option names. */
    public Optional<Path> input(String option) throws IOException {
        Optional<String> text = text(option);
        return text.isEmpty() ? Optional.empty() : Optional.of(existing(text.get()));
    }

    /** The word at that position, which names a file, a folder or a pattern that exists. */
    public Path input(int position) throws IOException {
        return existing(word(position));
    }

    /** The word at that position, which names a folder that does not exist yet. */
    public Path output(int position) throws IOException {
        Path path = path(word(position));
        if (path.getFileSystem(conf).exists(path)) {
            throw new UsageException(path + " exists: name a folder for the output that does not exist");
        }
        return path;
    }

    private Path existing(String word) throws IOException {
        Path path = path(word);
        FileSystem fs = path.getFileSystem(conf);
        if (!fs.exists(path)
                && Optional.ofNullable(fs.globStatus(path))
                                .map(found -> found.length)
                                .orElse(0)
                        == 0) {
            throw new UsageException(path + " does not exist: name the input");
        }
        return path;
    }

    /** Words after the options. */
    int positions() {
        return line.getArgList().size();
    }

    private String word(int position) {
        return line.getArgList().get(position);
    }

    private static Path path(String word) {
        try {
            return new Path(word);
        } catch (IllegalArgumentException e) {
            throw new UsageException("'" + word + "' is not a path: " + e.getMessage());
        }
    }
}
