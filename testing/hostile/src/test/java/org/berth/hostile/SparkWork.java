package org.berth.hostile;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.berth.oracle.Await;
import org.berth.oracle.Child;

/**
 * A Spark application with two executors whose shuffle goes over the transport: the program of the tests of
 * {@code carry/spark-shuffle}, with the class path of that module. Its sorts have one known result.
 */
final class SparkWork implements Work {
    private static final String OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private static final int NUMBERS = 20_000;
    private static final int GROUPS = 97;

    private final Child driver;
    private final Ports ports;
    private final String sorted = sorted();
    private final String grouped = grouped();
    private int job;

    SparkWork(Path folder, String classPath, Ports ports) throws IOException {
        this.ports = ports;
        Files.createDirectories(folder.resolve("home/jars"));
        Map<String, String> settings = new TreeMap<>(Map.of(
                "spark.master", "local-cluster[2,1,1024]",
                "spark.shuffle.manager", "org.berth.shuffle.BerthShuffleManager",
                "spark.executor.extraClassPath", classPath,
                "spark.executor.memory", "512m",
                "spark.executor.extraJavaOptions", OPTIONS,
                "spark.shuffle.readHostLocalDisk", "false",
                "spark.cores.max", "2",
                "spark.scheduler.minRegisteredResourcesRatio", "1"));
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx512m"));
        command.addAll(List.of(OPTIONS.split(" ")));
        settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(List.of("-cp", classPath, "org.berth.shuffle.ShuffleProgram", folder.toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(folder.resolve("driver.err").toFile());
        builder.environment()
                .putAll(Map.of(
                        "SPARK_HOME", folder.resolve("home").toString(),
                        "SPARK_SCALA_VERSION", "2.13",
                        "SPARK_LOCAL_IP", "127.0.0.1",
                        "SPARK_LOCAL_HOSTNAME", "localhost",
                        "JAVA_HOME", System.getProperty("java.home")));
        driver = Child.start(builder);
        driver.readUntil("ready");
    }

    @Override
    public void once(Row row) throws Exception {
        check(row, "sort " + job, sorted);
        check(row, "group " + job, grouped);
        if (job++ % 10 == 0) {
            attack();
        }
    }

    private void attack() {
        ports.replace(
                "spark", Await.until("an executor listens with the transport", this::ports, found -> !found.isEmpty()));
    }

    private Set<Integer> ports() {
        Set<Integer> found = new TreeSet<>();
        for (ProcessHandle process : driver.handle().descendants().toList()) {
            try {
                found.addAll(TransportPorts.of(process.pid()));
            } catch (IOException | DirectoryIteratorException ended) {
                // One of the short commands that Spark runs.
            }
        }
        return found;
    }

    /** A sort whose records go through the shuffle of two executors. */
    Victim victim() {
        return new Sorted();
    }

    private void check(Row row, String name, String expected) {
        String line = answer(name);
        if (!line.equals(name + ": " + expected + ".")) {
            row.wrong(line);
        }
    }

    private String answer(String name) {
        driver.send(name);
        return driver.readUntil(name + ": ");
    }

    private static int mix(int number) {
        return number * 0x9E3779B1;
    }

    private static String sorted() {
        List<Integer> mixed = new ArrayList<>();
        Map<Integer, Integer> numbers = new TreeMap<>();
        for (int i = 0; i < NUMBERS; i++) {
            mixed.add(mix(i));
            numbers.put(mix(i), i);
        }
        long sum = mixed.size();
        for (Map.Entry<Integer, Integer> one : numbers.entrySet()) {
            sum = sum * 1_000_003 + one.getKey() * 31L + one.getValue();
        }
        return Long.toString(sum);
    }

    private static String grouped() {
        Map<Integer, Long> sums = new TreeMap<>();
        for (int i = 0; i < NUMBERS; i++) {
            sums.merge(i % GROUPS, (long) i, Long::sum);
        }
        return sums.toString();
    }

    @Override
    public void close() {
        ports.replace("spark");
        driver.close();
    }

    private final class Sorted implements Victim {
        @Override
        public String name() {
            return "a sort of " + NUMBERS + " numbers by Spark";
        }

        @Override
        public void ask() throws IOException {
            String line = answer("sort " + job);
            if (!line.endsWith(": " + sorted + ".")) {
                throw new IOException(line);
            }
            job++;
        }

        @Override
        public long pauseMillis() {
            return 0;
        }

        @Override
        public void attack() {
            SparkWork.this.attack();
        }

        @Override
        public void close() {
            SparkWork.this.close();
        }
    }
}
