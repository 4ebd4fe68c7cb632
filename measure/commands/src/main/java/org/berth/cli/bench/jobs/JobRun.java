package org.berth.cli.bench.jobs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.CommandException;

/**
 * A {@link Job} that is ready to start, with checked options and existing data.
 *
 * @param libraries folder of jars
 * @param options all options of the job
 */
public record JobRun(Job job, Path libraries, List<String> options) {
    private static final String PREFIX = "berth: ";

    /** The folder with the jars of the jobs; CommandException where there is none. */
    public static Path requireBuilt(Job job) {
        Path libraries = Path.of(System.getProperty("org.berth.jobs.lib", ""));
        if (!Files.isDirectory(libraries) || libraries.toString().isEmpty()) {
            throw CommandException.failure(
                    "cannot find the job " + job.name() + ": the evaluation jobs are in a checkout only; start './berth"
                            + " bench " + job.name() + "' there, which builds it");
        }
        return libraries;
    }

    /**
     * Fetches or creates missing data, and lets the job check its options, so that a mistake ends the command before
     * anything runs.
     *
     * @param input the user's file, for a job that reads one
     * @param more options of the job, which replace its defaults
     * @param err where progress goes
     */
    public static JobRun prepare(
            Job job, Optional<Path> input, int threads, Optional<String> scale, List<String> more, PrintWriter err)
            throws IOException, InterruptedException {
        Path libraries = requireBuilt(job);
        List<String> options = new ArrayList<>();
        for (int i = 0; i < job.options().size(); i++) {
            String option = job.options().get(i);
            boolean hasValue =
                    i + 1 < job.options().size() && !job.options().get(i + 1).startsWith("--");
            if (!isGiven(option, more)) {
                options.add(option);
                if (hasValue) {
                    options.add(value(job.options().get(i + 1), input));
                }
            }
            i += hasValue ? 1 : 0;
        }
        if (!job.hasPolicies() && !job.hasEngines() && !job.hasWays()) {
            options.addAll(List.of("--threads", Integer.toString(threads)));
        }
        scale.ifPresent(number -> options.addAll(List.of("--scale", number)));
        options.addAll(more);
        JobRun run = new JobRun(job, libraries.toAbsolutePath(), List.copyOf(options));
        run.prepare(err);
        return run;
    }

    private static boolean isGiven(String option, List<String> words) {
        return words.stream().anyMatch(word -> word.equals(option) || word.startsWith(option + "="));
    }

    private static String value(String word, Optional<Path> input) throws IOException, InterruptedException {
        return switch (word) {
            case DataSet.TABLE -> input(DataSet.DIGITS, input);
            case DataSet.GRAPH -> input(DataSet.PACKAGES, input);
            case DataSet.GENOME -> input(DataSet.ECOLI, input);
            case DataSet.TEXT -> input(DataSet.DOCUMENTATION, input);
            case "DATA" -> data().toAbsolutePath().toString();
            default -> word;
        };
    }

    private static Path data() {
        return Path.of(System.getProperty("org.berth.jobs.data", "data"));
    }

    private static String input(DataSet data, Optional<Path> input) throws IOException, InterruptedException {
        Path file = input.isPresent() ? data.readable(input.get()) : data.fetch(data());
        return file.toString();
    }

    /** Runs the job's own preparation and prints its lines; the last one is the reason when it fails. */
    private void prepare(PrintWriter err) throws IOException, InterruptedException {
        List<String> command = command(List.of());
        command.add("--prepare");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        Process process = builder.start();
        String last = "";
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                // Output of Spark and the JVM is in the logs of the runs.
                if (line.startsWith(PREFIX)) {
                    if (!last.isEmpty()) {
                        err.println(last);
                        err.flush();
                    }
                    last = line;
                }
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
        int exitCode = process.waitFor();
        if (exitCode != 0) {
            throw CommandException.exit(
                    exitCode == 2 ? 2 : 1,
                    last.isEmpty()
                            ? "cannot start the job " + job.name() + " (exit code " + exitCode + "): "
                                    + String.join(" ", command)
                            : last.substring(PREFIX.length()));
        }
        if (!last.isEmpty()) {
            err.println(last);
        }
    }

    /** The value of an option that all runs have; of several, the last one. */
    public String value(String option) {
        for (int i = options.size() - 1; i >= 0; i--) {
            String word = options.get(i);
            if (word.startsWith(option + "=")) {
                return word.substring(option.length() + 1);
            }
            if (word.equals(option) && i + 1 < options.size()) {
                return options.get(i + 1);
            }
        }
        throw new IllegalStateException("the job " + job.name() + " has no " + option);
    }

    /**
     * Returns the command that runs the job.
     *
     * @param jvmOptions options before those of the job
     */
    public List<String> command(List<String> jvmOptions) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(job.jvmOptions());
        command.addAll(List.of("-cp", libraries + "/*"));
        command.addAll(job.program());
        command.addAll(options);
        return command;
    }
}
