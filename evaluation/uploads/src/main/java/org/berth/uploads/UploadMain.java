package org.berth.uploads;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.cluster.HdfsCluster;
import org.berth.hdfs.AffinityDatasetFactory;
import org.berth.hdfs.AffinityPlugin;
import org.berth.hdfs.AffinityVolumePolicy;

/** A cluster of one's own for one run, and the lines that tools read. */
final class UploadMain {
    private static final List<String> JVM = List.of("-Xmx512m", "-XX:+UseParallelGC");

    private UploadMain() {}

    static void run(String name, String what, String[] arguments, boolean thenRead) {
        List<String> words = new ArrayList<>(List.of(arguments));
        if (words.contains("--help")) {
            System.out.printf(Locale.ROOT, UploadOptions.HELP, name, what);
            return;
        }
        boolean verbose = words.remove("--verbose");
        String begin = "berth: " + name.toLowerCase(Locale.ROOT) + ": ";
        int exitCode = 0;
        try {
            measure(UploadOptions.parse(words, System.getenv()), thenRead);
        } catch (IllegalArgumentException e) {
            System.err.println(begin + e.getMessage());
            exitCode = 2;
        } catch (Exception e) {
            System.err.println(begin + "cannot measure HDFS: "
                    + e.toString().lines().findFirst().orElse(""));
            if (verbose) {
                e.printStackTrace();
            }
            exitCode = 1;
        }
        // Hadoop's client leaves threads that would keep the JVM for seconds.
        System.exit(exitCode);
    }

    private static void measure(UploadOptions options, boolean thenRead) throws Exception {
        Path folder = Files.createTempDirectory(options.folder(), "berth-hdfs");
        try (HdfsCluster cluster = HdfsCluster.start(
                folder,
                options.dataNodes(),
                JVM,
                Map.of("dfs.replication", Integer.toString(options.replicas())),
                hooks(options.arm()))) {
            // After an interrupt too.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(cluster, folder)));
            // The first block of a DataNode pays for its classes and compiled code.
            new Transfers(cluster, options, "/warm-up", 8).write();
            double cpuBefore = cpuSeconds(cluster, options);
            Transfers files = new Transfers(cluster, options, "/file", options.megabytes());
            Transfers.Result written = files.write();
            double cpuOfWriting = cpuSeconds(cluster, options) - cpuBefore;
            written.print("write", cpuOfWriting);
            double seconds = written.seconds();
            if (thenRead) {
                Transfers.Result read = files.read();
                read.print("read", cpuSeconds(cluster, options) - cpuBefore - cpuOfWriting);
                seconds += read.seconds();
            }
            System.out.printf(Locale.ROOT, "berth-job-seconds=%.3f%n", seconds);
            System.out.println("berth-job-result=" + files.checksum());
        } finally {
            remove(folder);
        }
    }

    private static Map<String, String> hooks(UploadOptions.Arm arm) {
        Map<String, String> settings = new HashMap<>();
        if (arm != UploadOptions.Arm.STOCK) {
            settings.put("dfs.datanode.plugins", AffinityPlugin.class.getName());
            settings.put("dfs.datanode.fsdataset.volume.choosing.policy", AffinityVolumePolicy.class.getName());
            settings.put("dfs.datanode.fsdataset.factory", AffinityDatasetFactory.class.getName());
            settings.put("berth.hdfs.policy", arm.word());
        }
        return settings;
    }

    private static double cpuSeconds(HdfsCluster cluster, UploadOptions options) {
        double seconds = 0;
        for (int i = 0; i < options.dataNodes(); i++) {
            seconds +=
                    cluster.dataNode(i).info().totalCpuDuration().orElseThrow().toMillis() / 1e3;
        }
        return seconds;
    }

    private static void stop(HdfsCluster cluster, Path folder) {
        cluster.close();
        remove(folder);
    }

    private static void remove(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
