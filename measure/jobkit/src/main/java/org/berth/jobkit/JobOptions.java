package org.berth.jobkit;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The options that every job has; a job adds its own in a subclass, whose whole numbers are all counts of at least 1.
 *
 * <p><b>Thread safety</b>: none while {@link JobMain} fills it in; unchanged afterwards.
 */
@Command(abbreviateSynopsis = true, usageHelpWidth = 120)
public abstract class JobOptions {
    @Option(names = "--prepare", description = "Only check the options, and make the data if it is missing.")
    private boolean prepare;

    @Option(names = "--verbose", description = "On an error, print the stack trace too.")
    @SuppressWarnings("unused") // JobMain asks the words, since those that cannot be parsed may have it too
    private boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    @SuppressWarnings("unused") // picocli asks the command line, not this field
    private boolean help;

    /** The options of a job that were not given have their defaults. */
    protected JobOptions() {}

    /**
     * Checks what no option knows alone; called once all are known.
     *
     * @throws JobException for wrong usage
     */
    protected void check() {}

    /** Requires a number of at most {@code greatest}. */
    protected static void requireAtMost(String option, int number, int greatest) {
        if (number > greatest) {
            throw JobException.usage(
                    "Invalid value for option '" + option + "': '" + number + "' is greater than " + greatest);
        }
    }

    final boolean prepare() {
        return prepare;
    }
}
