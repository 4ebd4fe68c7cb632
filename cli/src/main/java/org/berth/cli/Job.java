package org.berth.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.berth.experiments.Metric;

/**
 * A job of evaluation/jobs, from the list that it shares with the {@code berth} script: known without being built.
 *
 * @param workerThreads pattern of the names of the threads that do the work
 * @param scale default of {@code --scale}
 * @param scaleUnit what a scale of 1 is
 * @param options to give unless the user does; {@code INPUT} and {@code DATA} stand for paths
 */
record Job(
        String name,
        String mainClass,
        Kind kind,
        String workerThreads,
        String scale,
        String scaleUnit,
        List<String> jvmOptions,
        List<String> options,
        String description) {
    /** What has to be known to place its threads. */
    enum Kind {
        /** The plugin binds its tasks. */
        SPARK,
        /** The agent binds its threads. */
        THREADS,
        /** Likewise, and nothing but memory is measured. */
        MEMORY
    }

    /** What all jobs print of their time, without the start of the JVM or of Spark. */
    static final Metric SECONDS = new Metric("job", "s", Pattern.compile("^berth-job-seconds=([0-9.]+)"));

    /** What any work may print of what it computed. */
    static final Pattern RESULT = Pattern.compile("^berth-job-result=(.+)$");

    private static final String FILE = "/org/berth/jobs/jobs.tsv";

    /** In the order of the list. */
    static List<Job> all() {
        try (InputStream file = Job.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IllegalStateException("the list of jobs is not in this build: " + FILE);
            }
            List<Job> jobs = new ArrayList<>();
            for (String line : new String(file.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
                if (!line.isEmpty() && !line.startsWith("#")) {
                    jobs.add(parse(line.split("\t", -1)));
                }
            }
            return jobs;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE, e);
        }
    }

    /** Wrong usage, with all names, when there is none of that name. */
    static Job named(String name) {
        List<Job> all = all();
        return all.stream()
                .filter(job -> job.name.equals(name))
                .findFirst()
                .orElseThrow(() -> CommandException.usage("--job " + name + ": unknown job; there is "
                        + String.join(", ", all.stream().map(Job::name).toList()) + " (--jobs tells more)"));
    }

    /** What {@code --jobs} prints. */
    static List<String> table() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%-14s %-44s %s", "JOB", "WHAT IT DOES", "DEFAULT OF --scale"));
        for (Job job : all()) {
            lines.add(String.format(
                    Locale.ROOT, "%-14s %-44s %s (%s)", job.name, job.description, job.scale, job.scaleUnit));
        }
        return lines;
    }

    /** Whether it reads a table that the user may name. */
    boolean readsInput() {
        return options.contains("INPUT");
    }

    private static Job parse(String[] fields) {
        return new Job(
                fields[0],
                fields[1],
                Kind.valueOf(fields[2].toUpperCase(Locale.ROOT)),
                fields[3],
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
