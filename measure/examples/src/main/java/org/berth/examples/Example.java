package org.berth.examples;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.berth.jobkit.EngineArm;
import org.berth.jobkit.JobMain;
import org.berth.text.Words;

/**
 * Runs a MapReduce program on an engine, and prints what the job took and a checksum of its output. The first argument is the name
 * of the job.
 */
public final class Example {
    private Example() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        // Threads of an engine or of a file system must not keep the JVM alive.
        System.exit(run(List.of(arguments)));
    }

    private static int run(List<String> words) {
        String name = words.isEmpty() ? "" : words.get(0);
        Optional<ExampleKind> named = Arrays.stream(ExampleKind.values())
                .filter(kind -> kind.job().equals(name))
                .findFirst();
        if (named.isEmpty()) {
            String names =
                    Arrays.stream(ExampleKind.values()).map(ExampleKind::job).collect(Collectors.joining(", "));
            System.err.println("berth: " + (name.isEmpty() ? "no job is named" : "unknown job '" + name + "'")
                    + ": begin with one of " + names);
            return 2;
        }
        ExampleKind example = named.get();
        return JobMain.run(
                name,
                "the job failed",
                new ExampleOptions(),
                words.subList(1, words.size()).toArray(String[]::new),
                options -> input(example, options),
                options -> run(example, options));
    }

    /** Returns the folder with the input, which is made once for each scale. */
    private static Path input(ExampleKind example, ExampleOptions options) throws Exception {
        String name = Words.of(example) + "-" + options.scale();
        if (example.readsInput()) {
            name += "-" + OutputChecksum.hex(options.requiredInput());
        }
        Path folder = options.data().resolve("mapreduce").resolve(name);
        if (!example.hasFiles() || Files.exists(folder)) {
            return folder;
        }
        Files.createDirectories(folder.getParent());
        Path temporary = Files.createTempDirectory(folder.getParent(), name);
        try {
            example.makeInput(temporary, options);
            Files.move(temporary, folder, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Folders.remove(temporary);
        }
        return folder;
    }

    private static void run(ExampleKind example, ExampleOptions options) throws Exception {
        Path input = input(example, options);
        Files.createDirectories(options.data());
        Path work = Files.createTempDirectory(options.data(), "mapreduce-run");
        // After an interrupt, too.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Folders.remove(work)));
        EngineArm arm = options.engine();
        Path output = work.resolve("output");
        Configuration conf = ExampleEngine.of(arm, options.cluster(), work);
        CpuTime cpu = CpuTime.of(conf);
        AllocatedBytes allocated = AllocatedBytes.start();
        long cpuStart = cpu.nanos();
        long start = System.nanoTime();
        String printed = arm.engine() == EngineArm.Engine.SPARK_RDD
                ? HandWritten.run(example, input, output)
                : example.run(conf, input, output, options);
        double seconds = JobMain.seconds(System.nanoTime() - start);
        long milliseconds = System.currentTimeMillis()
                - ManagementFactory.getRuntimeMXBean().getStartTime();
        print("jvm-seconds", milliseconds / (double) TimeUnit.SECONDS.toMillis(1));
        print("cpu-seconds", JobMain.seconds(cpu.nanos() - cpuStart));
        OptionalLong bytes = allocated.end();
        OutputChecksum sum = example.hasFiles() ? OutputChecksum.of(example, output) : OutputChecksum.none();
        if (sum.records() > 0 && example.keepsRecords() && !arm.engine().isOnYarn()) {
            if (bytes.isPresent()) {
                print("allocated-bytes-per-record", bytes.getAsLong() / (double) sum.records());
            } else {
                System.err.println("berth: the JVM did not report all garbage collections: allocations are not known");
            }
        }
        JobMain.printResult(seconds, printed.isEmpty() ? sum.toString() : printed);
    }

    private static void print(String name, double value) {
        System.out.printf(Locale.ROOT, "berth-%s=%.3f%n", name, value);
    }
}
