package org.berth.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.berth.binding.BindingException;
import org.jspecify.annotations.Nullable;

/** What every job does the same: help, one line for a failure, exit codes, and the two result lines. */
final class JobMain {
    /** The work of one job, or what comes before it. */
    interface Work<O> {
        void run(O options) throws Exception;
    }

    private JobMain() {}

    /** A job that needs no data made before. */
    static <O> void run(
            String name,
            String help,
            String failing,
            String[] arguments,
            Function<List<String>, O> options,
            Work<O> work) {
        run(name, help, failing, arguments, options, nothing -> {}, work);
    }

    /**
     * Ends with exit code 0, or with one line on standard error 2 for a wrong command line and 1 for any other failure.
     *
     * @param failing begins the line when something else than the job itself found the fault
     * @param options of the words, or a {@link JobException}
     * @param preparation all that is done with {@code --prepare}; the work does it too where it must
     */
    static <O> void run(
            String name,
            String help,
            String failing,
            String[] arguments,
            Function<List<String>, O> options,
            Work<O> preparation,
            Work<O> work) {
        List<String> words = new ArrayList<>(List.of(arguments));
        if (words.contains("--help")) {
            System.out.print(help);
            return;
        }
        boolean verbose = words.remove("--verbose");
        boolean prepare = words.remove("--prepare");
        try {
            O parsed = options.apply(words);
            if (prepare) {
                preparation.run(parsed);
            } else {
                work.run(parsed);
            }
        } catch (JobException e) {
            fail(name, e, e.getMessage(), verbose, e.exitCode());
        } catch (BindingException e) {
            fail(name, e, e.getMessage(), verbose, 1);
        } catch (OutOfMemoryError e) {
            fail(name, e, "out of memory (" + e.getMessage() + "); use a smaller --scale or a larger -Xmx", verbose, 1);
        } catch (Exception e) { // Spark throws checked exceptions that Scala does not declare
            String reason = e.toString().lines().findFirst().orElse("");
            fail(name, e, failing + ": " + reason, verbose, 1);
        }
    }

    private static void fail(String name, Throwable cause, @Nullable String message, boolean verbose, int exitCode) {
        System.err.println("berth: " + name + ": " + message);
        if (verbose) {
            cause.printStackTrace();
        }
        System.exit(exitCode);
    }

    /** The two lines that tools read; {@code result} is equal for equal options, whatever the placement. */
    static void printResult(long nanos, String result) {
        System.out.printf(Locale.ROOT, "berth-job-seconds=%.3f%n", seconds(nanos));
        System.out.printf(Locale.ROOT, "berth-job-result=%s%n", result);
    }

    static double seconds(long nanos) {
        return nanos / (double) TimeUnit.SECONDS.toNanos(1);
    }
}
