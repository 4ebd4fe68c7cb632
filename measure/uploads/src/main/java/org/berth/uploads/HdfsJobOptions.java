package org.berth.uploads;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.berth.jobkit.HdfsArm;
import org.berth.jobkit.JobException;
import org.berth.jobkit.JobOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of every job on HDFS. */
@Command(footer = "Starts its own NameNode and DataNodes on loopback and stops them afterwards.")
abstract class HdfsJobOptions extends JobOptions {
    /** A hundredth of the file of 2.7 GB that "Dynamic core affinity …" (2014) uploads. */
    private static final int MEGABYTES_PER_SCALE = 27;

    private static final int MOST_SCALE = 10_000;
    private static final int MOST_DATA_NODES = 50;
    private static final int MOST_CLIENTS = 1000;
    private static final int USUAL_REPLICAS = 3;

    @Option(
            names = "--policy",
            paramLabel = "P",
            defaultValue = "${env:BERTH_HDFS_POLICY:-stock}",
            converter = ArmConverter.class,
            description =
                    "stock (Hadoop as it is), none, node, interrupt or fast-rpc (default $BERTH_HDFS_POLICY, else stock).")
    private HdfsArm arm = HdfsArm.STOCK;

    @Option(
            names = "--scale",
            paramLabel = "N",
            description =
                    "Size of each file in units of 27 MB; 100 is the 2.7 GB of the paper (default ${DEFAULT-VALUE}).")
    private int scale;

    @Option(
            names = "--datanodes",
            paramLabel = "N",
            defaultValue = "2",
            description = "DataNodes (default ${DEFAULT-VALUE}).")
    private int dataNodes;

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Replicas of each block, at most the DataNodes (default: all of them, up to 3).")
    private Optional<Integer> replicas = Optional.empty();

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Directory for HDFS's files during the job (default ${DEFAULT-VALUE}).")
    private Path folder = Path.of(System.getProperty("java.io.tmpdir"));

    /** Knows the words of the arms, while picocli would also accept the names of the constants. */
    private static final class ArmConverter implements ITypeConverter<HdfsArm> {
        @Override
        public HdfsArm convert(String word) {
            List<HdfsArm> all = List.of(HdfsArm.values());
            return all.stream()
                    .filter(arm -> arm.toString().equals(HdfsArm.canonical(word)))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + word + "' is not one of " + all));
        }
    }

    HdfsJobOptions(int defaultScale) {
        this.scale = defaultScale;
    }

    @Override
    protected void check() {
        requireAtMost("--scale", scale, MOST_SCALE);
        requireAtMost("--datanodes", dataNodes, MOST_DATA_NODES);
        clients().forEach(number -> requireAtMost("--clients", number, MOST_CLIENTS));
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw JobException.usage("--dir " + folder + ": it is not a folder that can be written");
        }
        if (replicas() > dataNodes) {
            throw JobException.usage("--replicas " + replicas() + ": there are " + dataNodes + " DataNodes");
        }
    }

    /** How many clients work at the same time, each on a file of its own; several numbers for one after the other. */
    abstract List<Integer> clients();

    /** How the DataNodes are set up. */
    HdfsArm arm() {
        return arm;
    }

    /** Size of each file. */
    int megabytes() {
        return scale * MEGABYTES_PER_SCALE;
    }

    int dataNodes() {
        return dataNodes;
    }

    /** Replicas of each block. */
    int replicas() {
        return replicas.orElse(Math.min(USUAL_REPLICAS, dataNodes));
    }

    /** The files of HDFS go below it, into a new folder that is removed. */
    Path folder() {
        return folder;
    }
}
