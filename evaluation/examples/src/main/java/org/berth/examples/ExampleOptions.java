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
@Command(description = "One of Hadoop's MapReduce examples, unmodified, on an engine.")
final class ExampleOptions extends JobOptions {
    private static final int LARGEST_MEGABYTES = 1 << 20;

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
            description = "MB of input, or thousands of points for pi; default: ${DEFAULT-VALUE}.")
    private int scale = 64;

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            description = "Where the input is made and kept, and the output is written; default: ${DEFAULT-VALUE}.")
    private Path data = Path.of("data");

    @Override
    protected void check() {
        if (engine().engine().isOnYarn() && cluster.isEmpty()) {
            throw JobException.usage("--engine " + engine + " needs a YARN that runs: give its client settings with "
                    + EngineCluster.OPTION + " FILE, or use berth compare --engines, which starts one");
        }
        requireAtMost("--scale", scale, LARGEST_MEGABYTES);
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

    Path data() {
        return data.toAbsolutePath();
    }
}
