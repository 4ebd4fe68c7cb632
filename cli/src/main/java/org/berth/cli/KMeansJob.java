package org.berth.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.berth.experiments.Metric;

/** The K-Means job of evaluation/jobs: how to start it, and what it prints. */
final class KMeansJob {
    /** What Spark calls the threads that run tasks. */
    static final String TASK_THREADS = "Executor task *";

    /** Spark would look up the name of this host, which can take seconds or fail. */
    static final Map<String, String> ENVIRONMENT = Map.of("SPARK_LOCAL_IP", "127.0.0.1");

    static final Metric SECONDS = new Metric("job", "s", Pattern.compile("^berth-job-seconds=([0-9.]+)"));

    static final Pattern RESULT = Pattern.compile("^berth-job-result=(.+)$");

    private static final String DATA_FILE = "digits.csv.gz";

    private final Path libraries;
    private final Path input;
    private final int threads;
    private final Optional<Integer> scale;

    private KMeansJob(Path libraries, Path input, int threads, Optional<Integer> scale) {
        this.libraries = libraries;
        this.input = input;
        this.threads = threads;
        this.scale = scale;
    }

    /** Fetches the data set, which says so itself, when it is not there yet and the user names no input. */
    static KMeansJob prepare(Optional<Path> input, int threads, Optional<Integer> scale)
            throws IOException, InterruptedException {
        String libraries = System.getProperty("org.berth.jobs.lib", "");
        if (libraries.isEmpty() || !Files.isDirectory(Path.of(libraries))) {
            throw CommandException.failure("cannot find the K-Means job (property org.berth.jobs.lib: '" + libraries
                    + "'); start './berth compare --job kmeans' in a checkout, which builds it");
        }
        Path data = input.isPresent() ? input.get() : fetch();
        String reason = Files.isDirectory(data)
                ? "it is a directory"
                : Files.notExists(data) ? "no such file" : !Files.isReadable(data) ? "permission denied" : "";
        if (!reason.isEmpty()) {
            throw CommandException.failure(
                    "cannot read the input " + data + ": " + reason + "; give a table of numbers (CSV)");
        }
        return new KMeansJob(Path.of(libraries), data.toAbsolutePath(), threads, scale);
    }

    private static Path fetch() throws IOException, InterruptedException {
        Path folder = Path.of(System.getProperty("org.berth.jobs.data", "data"));
        Path file = folder.resolve(DATA_FILE);
        String script = System.getProperty("org.berth.jobs.fetch", "");
        if (Files.exists(file) || script.isEmpty()) {
            return file;
        }
        Process fetch = new ProcessBuilder(script, folder.toString())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (fetch.waitFor() != 0) {
            throw CommandException.failure("cannot fetch the data set (see the lines above); give your own table of"
                    + " numbers with --input FILE");
        }
        return file;
    }

    Path input() {
        return input;
    }

    /**
     * @param jvmOptions in front of all others
     * @param plan for the tasks' threads; empty leaves them where the kernel puts them
     */
    List<String> command(List<String> jvmOptions, Optional<Path> plan) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        plan.ifPresent(file -> command.addAll(
                List.of("-Dspark.plugins=org.berth.spark.AffinityPlugin", "-Dspark.berth.plan=" + file)));
        command.addAll(List.of("-cp", libraries + "/*", "org.berth.jobs.KMeans", "--input", input.toString()));
        command.addAll(List.of("--threads", Integer.toString(threads)));
        scale.ifPresent(tile -> command.addAll(List.of("--tile", tile.toString())));
        return command;
    }
}
