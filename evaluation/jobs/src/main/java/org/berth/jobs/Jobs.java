package org.berth.jobs;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The jobs of this module, for tools that list and start them. It needs nothing else of the class path. Immutable, for
 * any thread.
 *
 * <p>As a program ({@code java -cp 'lib/*' org.berth.jobs.Jobs}) it prints them as a table, with {@code --tsv} as lines
 * of tab-separated fields: name, main class, {@code spark} or {@code none}, worker threads, metric, default options,
 * description.
 */
public final class Jobs {
    /** Every job prints these before the value; they begin a line. */
    public static final String SECONDS = "berth-job-seconds=";

    /** What is after it is equal for equal options, whatever the placement: one that changes it is broken. */
    public static final String RESULT = "berth-job-result=";

    /**
     * One job. All of them take {@code --threads N}, {@code --scale N} and {@code --help}.
     *
     * @param mainClass in the jobs' folder of libraries
     * @param onSpark whether {@code -Dspark.plugins} and Spark's other settings apply
     * @param workerThreads pattern (* and ?) of the names of the threads that do the work
     * @param metric what {@link #SECONDS} measures
     * @param options to give unless the user says otherwise; {@code INPUT} and {@code DATA} stand for the path of the
     *     data set and of a folder for generated data
     */
    public record Job(
            String name,
            String mainClass,
            boolean onSpark,
            String workerThreads,
            String metric,
            List<String> options,
            String description) {
        public Job {
            options = List.copyOf(options);
        }
    }

    private static final String TASKS = "Executor task *";

    private static final List<Job> ALL = List.of(
            job(
                    "kmeans",
                    "KMeans",
                    true,
                    TASKS,
                    "all iterations",
                    "K-Means over a cached table on Spark",
                    "--input INPUT"),
            job("sortby", "SortBy", true, TASKS, "all iterations", "records sorted through Spark's shuffle", ""),
            job("groupby", "GroupBy", true, TASKS, "all iterations", "records grouped through Spark's shuffle", ""),
            job("tpch", "Tpch", true, TASKS, "all queries", "the 22 TPC-H queries on Spark SQL", "--data DATA"),
            job(
                    "serialization",
                    "Serialization",
                    false,
                    "serializer-*",
                    "all round trips",
                    "object graphs through java.io, per thread",
                    ""),
            job(
                    "bandwidth",
                    "Bandwidth",
                    false,
                    "bandwidth-*",
                    "all passes",
                    "memory bandwidth: copy, scale, add, triad",
                    "--unbound"),
            job(
                    "latency",
                    "Latency",
                    false,
                    "latency-*",
                    "all loads",
                    "memory latency: a random chain of loads",
                    "--unbound"));

    private Jobs() {}

    private static Job job(
            String name,
            String mainClass,
            boolean onSpark,
            String workers,
            String metric,
            String description,
            String options) {
        List<String> words = options.isEmpty() ? List.of() : List.of(options.split(" ", -1));
        return new Job(name, "org.berth.jobs." + mainClass, onSpark, workers, metric, words, description);
    }

    /** In the order in which they are to be listed. */
    public static List<Job> all() {
        return ALL;
    }

    /** The job of that name. */
    public static Optional<Job> find(String name) {
        return ALL.stream().filter(job -> job.name().equals(name)).findFirst();
    }

    /** Prints all jobs; exit code 2 with one line on standard error for a wrong command line. */
    public static void main(String[] arguments) {
        List<String> words = List.of(arguments);
        if (words.equals(List.of("--tsv"))) {
            System.out.print(ALL.stream().map(Jobs::fields).collect(Collectors.joining("\n", "", "\n")));
        } else if (words.isEmpty()) {
            for (Job job : ALL) {
                System.out.printf(Locale.ROOT, "%-14s %-45s %s%n", job.name(), job.description(), job.mainClass());
            }
        } else {
            System.err.println("berth: jobs: unknown option '" + words.get(0) + "'; there is --tsv");
            System.exit(2);
        }
    }

    private static String fields(Job job) {
        return String.join(
                "\t",
                job.name(),
                job.mainClass(),
                job.onSpark() ? "spark" : "none",
                job.workerThreads(),
                job.metric(),
                String.join(" ", job.options()),
                job.description());
    }
}
