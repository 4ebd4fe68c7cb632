package org.berth.shuffle;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.berth.oracle.Await;

/** {@link ShuffleProgram} on two executors of this host, looked at from outside: its output and the logs of the executors. */
final class ShuffleCluster implements AutoCloseable {
    private static final String OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private final Path folder;
    private final Process driver;

    /**
     * Starts the application.
     *
     * @param classPath of the executors
     * @param settings without those that all tests have
     */
    ShuffleCluster(Path folder, String classPath, Map<String, String> settings) throws Exception {
        this.folder = folder;
        // Where Spark looks for its jars; they are on the class path.
        Files.createDirectories(folder.resolve("home/jars"));
        Map<String, String> all = new TreeMap<>(Map.of(
                "spark.master", "local-cluster[2,1,1024]",
                "spark.shuffle.manager", BerthShuffleManager.class.getName(),
                "spark.executor.extraClassPath", classPath,
                "spark.executor.memory", "512m",
                "spark.executor.extraJavaOptions", OPTIONS,
                // On by default, and then executors of one host read each other's files.
                "spark.shuffle.readHostLocalDisk", "false",
                // Both executors are there before the first job.
                "spark.cores.max", "2",
                "spark.scheduler.minRegisteredResourcesRatio", "1",
                "spark.shuffle.io.maxRetries", "1",
                "spark.shuffle.io.retryWait", "1s"));
        all.putAll(settings);
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx512m"));
        command.addAll(List.of(OPTIONS.split(" ")));
        all.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(ShuffleProgram.class.getName(), folder.toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(folder.resolve("driver.out").toFile())
                .redirectError(folder.resolve("driver.err").toFile())
                .directory(folder.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("SPARK_HOME", folder.resolve("home").toString());
        environment.put("SPARK_SCALA_VERSION", "2.13");
        environment.put("SPARK_LOCAL_IP", "127.0.0.1");
        environment.put("SPARK_LOCAL_HOSTNAME", "localhost");
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        this.driver = builder.start();
        awaitDriver(line -> line.equals("ready"));
    }

    /** Runs a job and returns its result. */
    String run(String job) throws Exception {
        say(job);
        return result(job);
    }

    void say(String job) throws IOException {
        OutputStream to = driver.getOutputStream();
        to.write((job + "\n").getBytes(StandardCharsets.UTF_8));
        to.flush();
    }

    /** Waits for the result of a job that has been started; each job is run once under one name. */
    String result(String job) throws Exception {
        String beginning = job + ": ";
        String line = awaitDriver(one -> one.startsWith(beginning) && one.endsWith("."));
        return line.substring(beginning.length(), line.length() - 1);
    }

    /** Runs a job that prints a map. */
    Map<String, Long> numbers(String job) throws Exception {
        Map<String, Long> numbers = new TreeMap<>();
        for (String pair : run(job).replaceAll("[{} ]", "").split(",", -1)) {
            if (!pair.isEmpty()) {
                String[] parts = pair.split("=", -1);
                numbers.put(parts[0], Long.valueOf(parts[1]));
            }
        }
        return numbers;
    }

    private String awaitDriver(Predicate<String> wanted) throws Exception {
        String[] found = new String[1];
        Await.until("a line of the driver", () -> {
            boolean hasEnded = !driver.isAlive();
            found[0] = Files.readAllLines(folder.resolve("driver.out")).stream()
                    .filter(wanted)
                    .findFirst()
                    .orElse("");
            if (found[0].isEmpty() && hasEnded) {
                throw new AssertionError("the driver has ended: " + Files.readString(folder.resolve("driver.err")));
            }
            return !found[0].isEmpty();
        });
        return found[0];
    }

    /** Ends the application and waits for all its processes. */
    void end() throws Exception {
        driver.getOutputStream().close();
        awaitDriver(line -> line.equals("stopped"));
        driver.waitFor();
    }

    List<String> driverLines() throws IOException {
        return Files.readAllLines(folder.resolve("driver.err"), StandardCharsets.ISO_8859_1);
    }

    /** The lines of both executors. */
    List<String> executorLines() throws IOException {
        List<String> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder.resolve("home"))) {
            for (Path file : files.filter(path -> path.endsWith("stderr")).toList()) {
                all.addAll(Files.readAllLines(file, StandardCharsets.ISO_8859_1));
            }
        }
        return all;
    }

    @Override
    public void close() {
        List<ProcessHandle> executors = driver.descendants().toList();
        driver.destroyForcibly().onExit().join();
        executors.forEach(ProcessHandle::destroyForcibly);
        executors.forEach(executor -> executor.onExit().join());
    }
}
