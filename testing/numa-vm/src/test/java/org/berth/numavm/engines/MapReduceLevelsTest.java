package org.berth.numavm.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJava;
import org.berth.numavm.NumaMaps;
import org.berth.oracle.KernelList;
import org.berth.oracle.ProcStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Both drivers of the MapReduce engine at each level (jars in /spark/jars): the masks of the threads that run maps, and of all threads
 * and pages of Spark's executors, as the kernel shows them while the maps wait. What is right comes from /sys.
 */
@Tag(Guest.TAG)
@Tag("mapreduce")
class MapReduceLevelsTest {
    private static final Path WORK = Path.of("/tmp/mapreduce");
    private static final List<String> LEVELS = List.of("numa", "package", "core", "pu");
    private static final int MAPS = 4;

    /** A map that waits. */
    private record Seen(long pid, int tid) {}

    /** What {@code check} was told: {@code WORKERS} at each level, or {@code WORKERS:LEVEL}. */
    static Stream<Arguments> sparks() {
        return Stream.of(System.getProperty("berth.guest.mapreduce", "2 4").split(" ", -1))
                .filter(word -> !word.isEmpty() && !word.equals("embedded"))
                .map(word -> word.split(":", -1))
                .flatMap(words -> (words.length > 1 ? Stream.of(words[1]) : LEVELS.stream())
                        .map(level -> Arguments.of(Integer.parseInt(words[0]), level)));
    }

    @Test
    @Tag("mapreduce-embedded")
    void theEmbeddedDriverPutsEachThreadOnThePartOfItsLevel() throws Exception {
        Path folder = input("embedded");
        List<String> words = new ArrayList<>(List.of("-Xmx256m"));
        words.addAll(program(folder, "embedded", LEVELS));
        Process client = start(folder, words);
        for (String level : LEVELS) {
            try {
                List<Seen> maps = waiting(client, folder.resolve(level));
                assertThat(pids(maps).size()).as("processes").isEqualTo(1);
                masks(level, maps);
            } finally {
                Files.createFile(folder.resolve(level).resolve("go"));
            }
        }
        ended(client, folder);
    }

    @ParameterizedTest(name = "{0} executors, level {1}")
    @MethodSource("sparks")
    @Tag("mapreduce-spark")
    void eachExecutorIsOnANodeAndEachTaskOnThePartOfItsLevel(int workers, String level) throws Exception {
        Path folder = input("spark-" + workers + "-" + level);
        int cores = MAPS / workers;
        String lean = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
        List<String> words = new ArrayList<>(List.of(
                "-Xmx256m",
                "-Dspark.master=local-cluster[" + workers + "," + cores + ",512]",
                "-Dspark.executor.memory=256m",
                "-Dspark.testing.reservedMemory=33554432",
                "-Dspark.ui.enabled=false",
                "-Dspark.driver.host=localhost",
                "-Dspark.network.timeout=900s",
                "-Dspark.locality.wait=0",
                "-Dspark.scheduler.minRegisteredResourcesRatio=1",
                "-Dspark.scheduler.maxRegisteredResourcesWaitingTime=900s",
                "-Dspark.executor.extraClassPath=/spark/jars/*",
                "-Dspark.berth.guard=off",
                "-Dspark.executor.extraJavaOptions=" + lean + " -agentpath:" + Guest.library()
                        + "=domain=numa,memory=bind,leases=" + folder + "/leases"));
        words.addAll(program(folder, "spark", List.of(level)));
        Process client = start(folder, words);
        try {
            List<Seen> maps = waiting(client, folder.resolve(level));
            assertThat(pids(maps)).as("executors").hasSize(workers);
            Map<Integer, Integer> users = new TreeMap<>();
            for (long pid : pids(maps)) {
                masks(level, maps.stream().filter(map -> map.pid() == pid).toList());
                int node = node(pid);
                users.merge(node, 1, Integer::sum);
                assertThat(NumaMaps.anonymous(pid).keySet())
                        .as("nodes of the pages of " + pid)
                        .isEqualTo(Set.of(node));
            }
            assertThat(users.keySet()).as("nodes").isEqualTo(nodes().keySet());
            assertThat(users.values()).as("executors of each node").containsOnly(workers / users.size());
        } finally {
            Files.createFile(folder.resolve(level).resolve("go"));
        }
        ended(client, folder);
    }

    private static Path input(String name) throws IOException {
        Path folder = WORK.resolve(name);
        Files.createDirectories(folder.resolve("in"));
        Files.createDirectories(folder.resolve("leases"));
        for (int i = 0; i < MAPS; i++) {
            Files.writeString(folder.resolve("in/" + i), "line\n");
        }
        for (String level : LEVELS) {
            Files.createDirectories(folder.resolve(level));
        }
        return folder;
    }

    private static List<String> program(Path folder, String driver, List<String> levels) {
        List<String> words = new ArrayList<>(List.of(
                "-cp", "/spark/jars/*", WaitingMaps.class.getName(), folder.toString(), driver, String.valueOf(MAPS)));
        words.addAll(levels);
        return words;
    }

    private static Process start(Path folder, List<String> words) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(GuestJava.java());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        for (String module : List.of("lang", "lang.invoke", "io", "net", "nio", "util", "util.concurrent")) {
            command.add("--add-opens=java.base/java." + module + "=ALL-UNNAMED");
        }
        command.addAll(List.of("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"));
        command.addAll(words);
        File output = folder.resolve("output").toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output);
        Map<String, String> environment = builder.environment();
        Files.createDirectories(folder.resolve("jars"));
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("SPARK_HOME", folder.toString());
        environment.put("SPARK_SCALA_VERSION", "2.13");
        environment.put("SPARK_LOCAL_IP", "127.0.0.1");
        environment.put("SPARK_LOCAL_HOSTNAME", "localhost");
        environment.put("BERTH_LEASES", folder.resolve("leases").toString());
        return builder.start();
    }

    private static List<Seen> waiting(Process client, Path folder) throws Exception {
        while (true) {
            List<Seen> maps = new ArrayList<>();
            try (Stream<Path> files = Files.list(folder)) {
                files.map(file -> file.getFileName().toString().split("-", -1))
                        .filter(words -> words[0].equals("map"))
                        .forEach(words -> maps.add(new Seen(Long.parseLong(words[1]), Integer.parseInt(words[2]))));
            }
            if (maps.size() >= MAPS) {
                return maps;
            }
            assertThat(client.isAlive())
                    .as("the client has ended after " + maps.size() + " maps")
                    .isTrue();
            Thread.sleep(100);
        }
    }

    private static void ended(Process client, Path folder) throws Exception {
        client.waitFor();
        List<String> lines = Files.readAllLines(folder.resolve("output"));
        long good = lines.stream().filter(line -> line.matches("\\w+ true")).count();
        long all = Stream.of(LEVELS.toArray())
                .filter(level -> Files.exists(folder.resolve(level + "/go")))
                .count();
        if (good != all) {
            lines.forEach(System.out::println);
        }
        assertThat(good).as("jobs that succeeded").isEqualTo(all);
    }

    private static Set<Long> pids(List<Seen> maps) {
        Set<Long> pids = new TreeSet<>();
        maps.forEach(map -> pids.add(map.pid()));
        return pids;
    }

    /** Each thread has one part of the machine of this kind: a core or PU alone, a larger part with no more threads than CPUs. */
    private static void masks(String level, List<Seen> maps) throws IOException {
        List<String> masks = new ArrayList<>();
        for (Seen map : maps) {
            String mask = ProcStatus.of(map.pid(), map.tid()).cpus();
            assertThat(mask).as("mask of thread " + map.tid()).isEqualTo(part(level, mask.split("[,-]", 2)[0]));
            masks.add(mask);
        }
        for (String mask : masks) {
            int most = List.of("core", "pu").contains(level)
                    ? 1
                    : KernelList.numbers(mask).size();
            assertThat(Collections.frequency(masks, mask) <= most)
                    .as("too many threads in one part: " + masks)
                    .isTrue();
        }
    }

    /** The part of the machine that a CPU is in. */
    private static String part(String level, String cpu) throws IOException {
        Path topology = Path.of("/sys/devices/system/cpu/cpu" + cpu + "/topology");
        return switch (level) {
            case "pu" -> cpu;
            case "core" -> read(topology.resolve("thread_siblings_list"));
            case "package" -> read(topology.resolve("core_siblings_list"));
            default -> nodes().getOrDefault(nodeOf(cpu), "");
        };
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    private static int nodeOf(String cpu) throws IOException {
        try (Stream<Path> links = Files.list(Path.of("/sys/devices/system/cpu/cpu" + cpu))) {
            return links.map(link -> link.getFileName().toString())
                    .filter(name -> name.matches("node\\d+"))
                    .mapToInt(name -> Integer.parseInt(name.substring(4)))
                    .findFirst()
                    .orElse(-1);
        }
    }

    private static Map<Integer, String> nodes() throws IOException {
        Map<Integer, String> result = new TreeMap<>();
        try (Stream<Path> files = Files.list(Path.of("/sys/devices/system/node"))) {
            for (Path node : files.filter(file -> file.getFileName().toString().matches("node\\d+"))
                    .toList()) {
                int number = Integer.parseInt(node.getFileName().toString().substring(4));
                result.put(number, read(node.resolve("cpulist")));
            }
        }
        return result;
    }

    /** The node that all threads of an executor keep to. */
    private static int node(long pid) throws IOException {
        Set<Integer> nodes = new TreeSet<>();
        Map<Integer, String> masks = ProcStatus.masks(pid, name -> !name.startsWith("berth-"));
        for (String mask : masks.values()) {
            for (int cpu : KernelList.numbers(mask)) {
                nodes.add(nodeOf(String.valueOf(cpu)));
            }
        }
        assertThat(nodes.size() == 1)
                .as("threads of executor " + pid + " have masks " + new TreeSet<>(masks.values()))
                .isTrue();
        return nodes.iterator().next();
    }
}
