package org.berth.examples;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.berth.cluster.YarnCluster;
import org.berth.jobkit.EngineCluster;

/**
 * Runs a ResourceManager and a NodeManager until its standard input ends, also when its parent is killed. Prints the path of a
 * file with settings for clients when the cluster takes jobs.
 */
public final class ClusterHost {
    /** The property of clients that names the process whose descendants are the cluster. */
    static final String PID = "berth.examples.cluster.pid";

    private static final List<String> JVM = List.of("-Xmx512m", "-XX:+UseSerialGC");

    private ClusterHost() {}

    /** The word is a folder for the folder of the cluster. Exit code 1, with one line on standard error, when it does not start. */
    public static void main(String[] words) throws IOException {
        Path parent = Files.createDirectories(Path.of(words[0]).toAbsolutePath());
        Path folder = Files.createTempDirectory(parent, "mapreduce-cluster");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            // Containers outlive a NodeManager that is killed.
            ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
            Folders.remove(folder);
        }));
        try (YarnCluster cluster =
                YarnCluster.start(Files.createDirectory(folder.resolve("cluster")), JVM, settings(), shuffle())) {
            Path file = folder.resolve("client.xml");
            write(client(cluster, folder), file);
            System.out.println(EngineCluster.READY + file);
            System.out.flush();
            while (System.in.read() >= 0) {
                // Only the end of the input matters.
            }
            ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        } catch (IOException | RuntimeException e) {
            System.err.println("berth: cannot start YARN: " + e.getMessage());
            System.exit(1);
        }
    }

    /** One container for the job's master and two tasks for each CPU, of which reduces wait while maps run. */
    private static Map<String, String> settings() {
        String cores = Integer.toString(1 + 2 * Runtime.getRuntime().availableProcessors());
        return Map.of("yarn.nodemanager.resource.cpu-vcores", cores, "yarn.scheduler.maximum-allocation-vcores", cores);
    }

    private static Map<String, String> shuffle() {
        return Map.of("yarn.nodemanager.aux-services", "mapreduce_shuffle", "mapreduce.shuffle.port", "0");
    }

    private static Configuration client(YarnCluster cluster, Path folder) {
        Configuration all = cluster.client();
        Configuration client = new Configuration(false);
        all.forEach(entry -> {
            String[] sources = all.getPropertySources(entry.getKey());
            if (sources == null || !sources[sources.length - 1].endsWith("-default.xml")) {
                client.set(entry.getKey(), entry.getValue());
            }
        });
        String libraries = System.getProperty("java.class.path");
        client.set(
                "yarn.app.mapreduce.am.staging-dir", folder.resolve("staging").toString());
        client.set("mapreduce.application.classpath", libraries);
        client.set("yarn.application.classpath", libraries);
        client.set("tez.ignore.lib.uris", "true");
        client.set("tez.cluster.additional.classpath.prefix", libraries);
        client.set("tez.staging-dir", folder.resolve("tez").toString());
        client.setLong(PID, ProcessHandle.current().pid());
        return client;
    }

    private static void write(Configuration settings, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            settings.writeXml(out);
        }
    }
}
