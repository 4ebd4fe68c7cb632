package org.berth.numavm.engines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.berth.numavm.GuestJava;

/** A real Spark application (org.berth.jobs.shuffle.GroupBy, jars in /spark/jars) on a cluster of local processes. */
public final class LocalSpark {
    /** Options of its JVMs. */
    public static final String LEAN = String.join(" ", GuestJava.LEAN);

    private LocalSpark() {}

    /**
     * A job on a local cluster, as a process of its own.
     *
     * @param home its folder, which gets the executors' logs
     * @param settings options of its JVM
     * @param host what Spark's ports are bound to
     */
    public static ProcessBuilder application(Path home, List<String> settings, String host) throws IOException {
        Files.createDirectories(home.resolve("jars"));
        List<String> command = new ArrayList<>();
        command.add(GuestJava.java());
        // Spark wants 450 MB; what these JVMs compile is not worth the second compiler under TCG.
        command.addAll(List.of(LEAN.split(" ", -1)));
        command.addAll(List.of(
                "-Xmx512m",
                "-Dspark.executor.memory=512m",
                "-Dspark.ui.enabled=false",
                "-Dspark.network.timeout=600s",
                "-Dspark.executor.extraClassPath=/spark/jars/*"));
        command.addAll(settings);
        command.addAll(
                List.of("-cp", "/spark/jars/*", "org.berth.jobs.shuffle.GroupBy", "--scale", "1", "--iterations", "1"));
        ProcessBuilder builder = new ProcessBuilder(command).directory(home.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("SPARK_HOME", home.toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_LOCAL_IP", host.equals("localhost") ? "127.0.0.1" : host);
        builder.environment().put("SPARK_LOCAL_HOSTNAME", host);
        return builder;
    }

    /** What its executors said. */
    public static void printLogs(Path home) throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.filter(path -> path.endsWith("stderr")).toList()) {
                System.out.println("guest: " + file);
                Files.readAllLines(file).forEach(System.out::println);
            }
        }
    }
}
