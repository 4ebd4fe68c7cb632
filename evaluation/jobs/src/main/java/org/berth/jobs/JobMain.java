package org.berth.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.berth.binding.BindingException;
import org.jspecify.annotations.Nullable;

/** What every job does the same: help, one line for a failure, exit codes, and the two result lines. */
final class JobMain {
    /** The work of one job. */
    interface Work {
        void run(List<String> words) throws Exception;
    }

    private JobMain() {}

    /**
     * Ends with exit code 0, or with one line on standard error 2 for a wrong command line and 1 for any other failure.
     *
     * @param failing begins the line when something else than the job itself found the fault
     */
    static void run(String name, String help, String failing, String[] arguments, Work work) {
        List<String> words = new ArrayList<>(List.of(arguments));
        if (words.contains("--help")) {
            System.out.print(help);
            return;
        }
        boolean verbose = words.remove("--verbose");
        try {
            work.run(words);
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
