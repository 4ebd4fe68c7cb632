package org.berth.jobkit;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One job as the list has it. All jobs take {@code --scale N}, {@code --prepare} (checks the options, makes data that is
 * missing, and ends), {@code --verbose} and {@code --help}. Immutable.
 *
 * @param program the main class, in the folder of libraries of its module, and words before all options
 * @param workerThreads patterns (* and ?) of the names of the threads that do the work
 * @param measured what {@link JobList#SECONDS} measures
 * @param numbers what is compared besides, in the form of {@code berth compare --metric}; {@code @} stands for each value of
 *     the option that {@link #series} names
 * @param scale default of {@code --scale}
 * @param scaleUnit what a scale of 1 is
 * @param jvmOptions that it needs
 * @param options to give unless the user gives them; {@code INPUT}, {@code GRAPH}, {@code GENOME}, {@code TEXT} and {@code DATA} stand
 *     for the paths of a table, a graph, a genome, a text and a folder for generated data
 */
public record JobEntry(
        String name,
        List<String> program,
        Kind kind,
        List<String> workerThreads,
        String measured,
        List<String> numbers,
        String scale,
        String scaleUnit,
        List<String> jvmOptions,
        List<String> options,
        String description) {
    private static final int COLUMNS = 11;

    /** How the threads of a job are bound. */
    public enum Kind {
        /** On Spark: its plugin binds the tasks, and Spark's settings apply as system properties. */
        SPARK,
        /** On Spark, to find out what its plugin costs: the arms are settings of the plugin unless levels are asked for. */
        PLUGIN,
        /** The agent binds threads of its own. */
        THREADS,
        /** The agent binds threads of its own, and nothing but memory is measured. */
        MEMORY,
        /** The DataNodes that it starts bind their threads by policy; levels have no meaning for them. */
        HDFS,
        /** A job of Hadoop's MapReduce; the arms are the engines that run it. */
        MAPREDUCE,
        /** Calls of Hadoop RPC; the arms are the ways that these take. */
        CALLS,
        /** Shuffles between executors of Spark; the arms are the ways that blocks take. */
        SHUFFLE
    }

    /** Copies the lists. */
    public JobEntry {
        program = List.copyOf(program);
        workerThreads = List.copyOf(workerThreads);
        numbers = List.copyOf(numbers);
        jvmOptions = List.copyOf(jvmOptions);
        options = List.copyOf(options);
    }

    /** The options whose value is a list, with a metric for each of its values. */
    private static final List<String> SERIES = List.of("--clients", "--sizes");

    /** The option whose values {@code @} stands for; empty for a job that has none. */
    public Optional<String> series() {
        return options.stream().filter(SERIES::contains).findFirst();
    }

    /** The class whose main method is the job. */
    public String mainClass() {
        return program.get(0);
    }

    static JobEntry parse(String line) {
        String[] columns = line.split("\t", -1);
        if (columns.length != COLUMNS) {
            throw new IllegalStateException("a job has " + columns.length + " columns, not " + COLUMNS + ": " + line);
        }
        return new JobEntry(
                columns[0],
                words(columns[1]),
                Kind.valueOf(columns[2].toUpperCase(Locale.ROOT)),
                List.of(columns[3].split("\\|", -1)),
                columns[4],
                words(columns[5]),
                columns[6],
                columns[7],
                words(columns[8]),
                words(columns[9]),
                columns[10]);
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
    }
}
