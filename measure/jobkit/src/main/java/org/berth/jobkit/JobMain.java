package org.berth.jobkit;

import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** What every job does in the same way: options, help, one line for a failure, exit codes, and the two result lines. */
public final class JobMain {
    /** The work of one job, or its preparation. */
    public interface Work<O> {
        /** Runs it on the calling thread; what it throws ends the job. */
        void run(O options) throws Exception;
    }

    private JobMain() {}

    /**
     * Parses the words and runs the job, or with {@code --prepare} only its preparation. A failure is one line on standard
     * error.
     *
     * @param failing begins that line when something other than the job itself found the fault
     * @param options of the job, with their defaults
     * @param preparation what {@code --prepare} does once the options are checked; the work repeats what it needs of it
     * @return the exit code: 0, 2 for wrong usage, 1 for any other failure
     */
    public static <O extends JobOptions> int run(
            String name, String failing, O options, String[] words, Work<O> preparation, Work<O> work) {
        try {
            if (!parse(options, List.of(words))) {
                return 0;
            }
            (options.prepare() ? preparation : work).run(options);
            return 0;
        } catch (JobException e) {
            return fail(name, e, e.getMessage(), words, e.exitCode());
        } catch (OutOfMemoryError e) {
            String message = "out of memory (" + e.getMessage() + "); use a smaller --scale or a larger -Xmx";
            return fail(name, e, message, words, 1);
        } catch (Exception e) { // Spark throws checked exceptions that Scala does not declare
            String reason = e.toString().lines().findFirst().orElse("");
            return fail(name, e, failing + ": " + reason, words, 1);
        }
    }

    /**
     * Fills in the options. False when the user asked for help, which is then on standard output.
     *
     * @throws JobException for wrong usage
     */
    public static boolean parse(JobOptions options, List<String> words) {
        CommandLine line = new CommandLine(options)
                .registerConverter(int.class, JobMain::count)
                .registerConverter(Integer.class, JobMain::count)
                .registerConverter(long.class, JobMain::number)
                .registerConverter(BigDecimal.class, JobMain::decimal)
                .registerConverter(Path.class, JobMain::path);
        try {
            if (CommandLine.printHelpIfRequested(line.parseArgs(words.toArray(String[]::new)))) {
                return false;
            }
        } catch (ParameterException e) {
            throw JobException.usage(String.valueOf(e.getMessage()));
        }
        options.check();
        return true;
    }

    /** Prints the two lines that tools read; {@code result} is equal for equal options, whatever the placement. */
    public static void printResult(double seconds, String result) {
        System.out.printf(Locale.ROOT, JobList.SECONDS + "%.3f%n", seconds);
        System.out.println(JobList.RESULT + result);
    }

    /** Nanoseconds as seconds. */
    public static double seconds(long nanos) {
        return nanos / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private static int count(String text) {
        try {
            int count = Integer.parseInt(text);
            if (count >= 1) {
                return count;
            }
        } catch (NumberFormatException notANumber) {
            // The line below is true of both cases.
        }
        throw new TypeConversionException("'" + text + "' is not a whole number of at least 1");
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notANumber) {
            throw new TypeConversionException("'" + text + "' is not a whole number");
        }
    }

    private static BigDecimal decimal(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException notANumber) {
            throw new TypeConversionException("'" + text + "' is not a number");
        }
    }

    private static Path path(String text) {
        try {
            if (!text.isEmpty()) {
                return Path.of(text);
            }
        } catch (InvalidPathException notAPath) {
            // The line below is true of both cases.
        }
        throw new TypeConversionException("'" + text + "' is not a path");
    }

    private static int fail(String name, Throwable cause, @Nullable String message, String[] words, int exitCode) {
        System.err.println("berth: " + name + ": " + message);
        // A command line that cannot be parsed may ask for the stack trace too.
        if (Arrays.asList(words).contains("--verbose")) {
            cause.printStackTrace();
        }
        return exitCode;
    }
}
