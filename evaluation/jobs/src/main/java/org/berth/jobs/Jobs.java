package org.berth.jobs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The jobs of this module, for tools that list and start them. They are lines of the file {@code jobs.tsv}, which the
 * {@code berth} script and its command line read as well. It needs nothing else of the class path. Immutable, for any thread.
 *
 * <p>As a program ({@code java -cp 'lib/*' org.berth.jobs.Jobs}) it prints them as a table, with {@code --tsv} as lines
 * of tab-separated fields in the order of {@link Job}.
 */
public final class Jobs {
    /** Every job prints these before the value; they begin a line. */
    public static final String SECONDS = "berth-job-seconds=";

    /** What is after it is equal for equal options, whatever the placement: one that changes it is broken. */
    public static final String RESULT = "berth-job-result=";

    private static final String FILE = "jobs.tsv";
    private static final int FIELDS = 10;

    /**
     * One job. All of them take {@code --threads N}, {@code --scale N}, {@code --prepare} (checks the options, makes data
     * that is missing, and ends) and {@code --help}.
     *
     * @param mainClass in the jobs' folder of libraries
     * @param kind {@code spark}: {@code -Dspark.plugins} and Spark's other settings apply; {@code threads}: threads of its
     *     own; {@code memory}: the same, and nothing but memory is measured
     * @param workerThreads pattern (* and ?) of the names of the threads that do the work
     * @param metric what {@link #SECONDS} measures
     * @param scale default of {@code --scale}
     * @param scaleUnit what a scale of 1 is
     * @param jvmOptions that it needs
     * @param options to give unless the user says otherwise; {@code INPUT} and {@code DATA} stand for the path of the
     *     data set and of a folder for generated data
     */
    public record Job(
            String name,
            String mainClass,
            String kind,
            String workerThreads,
            String metric,
            String scale,
            String scaleUnit,
            List<String> jvmOptions,
            List<String> options,
            String description) {
        public Job {
            jvmOptions = List.copyOf(jvmOptions);
            options = List.copyOf(options);
        }
    }

    private Jobs() {}

    /** In the order in which they are to be listed. */
    public static List<Job> all() {
        return lines().stream().map(Jobs::job).toList();
    }

    /** The job of that name. */
    public static Optional<Job> find(String name) {
        return all().stream().filter(job -> job.name().equals(name)).findFirst();
    }

    /** Prints all jobs; exit code 2 with one line on standard error for a wrong command line. */
    public static void main(String[] arguments) {
        List<String> words = List.of(arguments);
        if (words.equals(List.of("--tsv"))) {
            lines().forEach(line -> System.out.print(line + "\n"));
        } else if (words.isEmpty()) {
            for (Job job : all()) {
                System.out.printf(Locale.ROOT, "%-14s %-45s %s%n", job.name(), job.description(), job.mainClass());
            }
        } else {
            System.err.println("berth: jobs: unknown option '" + words.get(0) + "'; there is --tsv");
            System.exit(2);
        }
    }

    private static List<String> lines() {
        try (InputStream file = Jobs.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IllegalStateException("there is no " + FILE + " beside " + Jobs.class.getName());
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE, e);
        }
    }

    private static Job job(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalStateException("a line of " + FILE + " has " + fields.length + " fields: " + line);
        }
        return new Job(
                fields[0],
                fields[1],
                fields[2],
                fields[3],
                fields[4],
                fields[5],
                fields[6],
                words(fields[7]),
                words(fields[8]),
                fields[9]);
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
    }
}
