package org.berth.yarn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Processes;

/** Counts words by MapReduce, with tasks that wait until they were seen, and watches the JVMs of the job meanwhile. */
final class WordCount {
    private static final Pattern CONTAINER = Pattern.compile("/(container_\\d+_\\d+_\\d+_\\d+)");
    private static final String SMALL = " -Xmx128m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    /**
     * What was seen of a container's JVM.
     *
     * @param main class that it runs
     * @param masks of all of its threads at each look, in order
     * @param leases what the ledger said of that container meanwhile, as CPU lists
     */
    record Seen(String main, List<Set<String>> masks, Set<String> leases) {
        Set<String> allMasks() {
            return masks.stream().flatMap(Set::stream).collect(Collectors.toCollection(TreeSet::new));
        }

        Set<String> lastMasks() {
            return masks.get(masks.size() - 1);
        }
    }

    private final Path folder;
    private final Path waiting;
    private final Ledger ledger;
    private final Map<String, Seen> seen = new TreeMap<>();
    private final Set<String> leaseNames = new TreeSet<>();

    WordCount(Path folder, Ledger ledger) {
        this.folder = folder;
        this.waiting = folder.resolve("waiting");
        this.ledger = ledger;
    }

    /**
     * Runs it over two files.
     *
     * @param options more of the JVMs: of "am", "map" and "reduce"
     * @return the containers by name
     */
    Map<String, Seen> run(Configuration client, UnaryOperator<String> options) throws Exception {
        Path input = Files.createDirectories(folder.resolve("input"));
        for (int i = 0; i < 2; i++) {
            Files.writeString(input.resolve("part" + i), "a place for every thread and every page " + i + "\n");
        }
        Files.createDirectory(waiting);
        Configuration settings = new Configuration(client);
        settings.set(SeenTasks.FOLDER, waiting.toString());
        settings.set("mapreduce.map.speculative", "false");
        settings.set("mapreduce.framework.name", "yarn");
        settings.set(
                "yarn.app.mapreduce.am.staging-dir", folder.resolve("staging").toString());
        settings.set("mapreduce.application.classpath", System.getProperty("java.class.path"));
        settings.set("yarn.application.classpath", System.getProperty("java.class.path"));
        settings.set("yarn.app.mapreduce.am.resource.mb", "256");
        settings.set("yarn.app.mapreduce.am.command-opts", SMALL + " " + options.apply("am"));
        settings.set("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "100");
        settings.set("mapreduce.map.memory.mb", "256");
        settings.set("mapreduce.reduce.memory.mb", "256");
        settings.set("mapreduce.map.java.opts", SMALL + " " + options.apply("map"));
        settings.set("mapreduce.reduce.java.opts", SMALL + " " + options.apply("reduce"));
        settings.set("mapreduce.task.io.sort.mb", "8");
        settings.set("mapreduce.client.progressmonitor.pollinterval", "100");
        Job job = Job.getInstance(settings, "words");
        job.setMapperClass(SeenTasks.Counting.class);
        job.setReducerClass(SeenTasks.Summing.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input.toUri()));
        FileOutputFormat.setOutputPath(
                job, new org.apache.hadoop.fs.Path(folder.resolve("output").toUri()));
        job.submit();
        while (!job.isComplete()) {
            look();
            Thread.sleep(50);
        }
        if (!job.isSuccessful()) {
            throw new AssertionError("the job failed: " + job.getStatus().getFailureInfo());
        }
        return seen;
    }

    private void look() throws IOException {
        List<String> tasks = SeenTasks.waiting(waiting);
        Map<String, Long> lookedAt = new TreeMap<>();
        for (long pid : Processes.pids()) {
            String line = Processes.commandLine(pid);
            Matcher container = CONTAINER.matcher(line);
            // The shell that starts the JVM has the same words.
            if (line.startsWith(System.getProperty("java.home"))
                    && line.contains(String.valueOf(folder.getParent()))
                    && container.find()) {
                Set<String> masks = ProcStatus.settledMasks(pid);
                if (!masks.isEmpty()) {
                    lookedAt.put(container.group(1), pid);
                    seen.computeIfAbsent(
                                    container.group(1),
                                    name -> new Seen(main(line), new ArrayList<>(), new TreeSet<>()))
                            .masks()
                            .add(masks);
                }
            }
        }
        Map<String, String> leases = ledger.held();
        leaseNames.addAll(leases.keySet());
        lookedAt.forEach((container, pid) -> {
            // What has its memory before and after the ledger is read has its files, and so its lease, meanwhile.
            if (!Processes.commandLine(pid).isEmpty()) {
                Objects.requireNonNull(seen.get(container)).leases().add(leases.getOrDefault(container, "none"));
            }
        });
        for (String task : tasks) {
            SeenTasks.release(waiting, task);
        }
    }

    private static String main(String line) {
        return line.contains("YarnChild") ? "YarnChild" : line.contains("MRAppMaster") ? "MRAppMaster" : line;
    }

    /** The names of all leases that were held meanwhile. */
    Set<String> leaseNames() {
        return leaseNames;
    }

    /** The words that the job has written, counted by the test itself. */
    Map<String, Integer> result() throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        try (Stream<Path> parts = Files.list(folder.resolve("output"))) {
            for (Path part : parts.filter(path -> path.getFileName().toString().startsWith("part-"))
                    .toList()) {
                for (String line : Files.readAllLines(part)) {
                    String[] words = line.split("\t", -1);
                    counts.put(words[0], Integer.valueOf(words[1]));
                }
            }
        }
        return counts;
    }
}
