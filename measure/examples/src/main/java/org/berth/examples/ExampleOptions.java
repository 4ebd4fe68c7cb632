package org.berth.examples;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.berth.jobkit.EngineArm;
import org.berth.jobkit.EngineCluster;
import org.berth.jobkit.JobException;
import org.berth.jobkit.JobOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Options of the examples. */
@Command(description = "A MapReduce program, unmodified, on an engine.")
final class ExampleOptions extends JobOptions {
    private static final int LARGEST_MEGABYTES = 1 << 20;
    private static final int LARGEST_REDUCES = 10_000;

    @Option(names = "--engine", paramLabel = "ENGINE", description = EngineArm.WORDS + "; default: berth.")
    private String engine = "berth";

    @Option(
            names = EngineCluster.OPTION,
            paramLabel = "FILE",
            description = "Client settings of a running YARN, for the engines yarn and tez (compare starts one).")
    private Optional<Path> cluster = Optional.empty();

    @Option(
            names = "--scale",
            paramLabel = "N",
            description =
                    "MB of input, thousands of points for pi, copies of the input for kmeans and graphs, or reads on each base of a"
                            + " genome; default: ${DEFAULT-VALUE}.")
    private int scale = 64;

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            description = "Folder where the input is generated and kept, and the output written; default:"
                    + " ${DEFAULT-VALUE}.")
    private Path data = Path.of("data");

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description =
                    "A text for sort, a table of numbers for kmeans, a graph for pagerank and components (lines of NODE"
                            + " NEIGHBOUR…), a genome for duplicates and correction (FASTA).")
    private Optional<Path> input = Optional.empty();

    @Option(names = "--reduces", paramLabel = "N", description = "Reduce tasks of a job; default: ${DEFAULT-VALUE}.")
    private int reduces = 2;

    @Override
    protected void check() {
        if (engine().engine().isOnYarn() && cluster.isEmpty()) {
            throw JobException.usage("--engine " + engine + " needs a YARN that runs: give its client settings with "
                    + EngineCluster.OPTION + " FILE, or use berth bench --engines, which starts one");
        }
        requireAtMost("--scale", scale, LARGEST_MEGABYTES);
        requireAtMost("--reduces", reduces, LARGEST_REDUCES);
        if (reduces < 1) {
            throw JobException.usage("--reduces " + reduces + ": give at least 1");
        }
        input.filter(file -> !Files.isReadable(file) || Files.isDirectory(file)).ifPresent(file -> {
            throw JobException.usage("--input " + file + ": cannot read this file");
        });
        if (Files.isRegularFile(data)) {
            throw JobException.usage("--data " + data + ": it is a file; name a folder");
        }
    }

    EngineArm engine() {
        return EngineArm.parse(engine);
    }

    Optional<Path> cluster() {
        return cluster;
    }

    int scale() {
        return scale;
    }

    int reduces() {
        return reduces;
    }

    /** The file of {@code --input}, which the job cannot do without. */
    Path requiredInput() {
        return input.orElseThrow(
                () -> JobException.usage("--input FILE is missing: measure/jobs/fetch-data FOLDER fetches"
                        + " a table of numbers; fetch-text, fetch-graph and fetch-genome of measure/programs a text,"
                        + " a graph and a genome"));
    }

    Path data() {
        return data.toAbsolutePath();
    }
}
