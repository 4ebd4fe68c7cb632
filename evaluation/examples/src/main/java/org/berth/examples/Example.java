package org.berth.examples;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.berth.jobkit.EngineArm;
import org.berth.jobkit.JobMain;

/** Runs one of Hadoop's examples on an engine, and prints what the job took and a checksum of its output. */
final class Example {
    private Example() {}

    /** Ends the JVM with exit code 0, or with one line on standard error 2 for a wrong command line and 1 for other failures. */
    static void main(String name, ExampleKind example, String[] arguments) {
        int exitCode = JobMain.run(
                name,
                "the job failed",
                new ExampleOptions(),
                arguments,
                options -> input(example, options),
                options -> run(example, options));
        // Threads of an engine or of a file system must not keep the JVM alive.
        System.exit(exitCode);
    }

    /** Returns the folder with the input, which is made once for each scale. */
    private static Path input(ExampleKind example, ExampleOptions options) throws Exception {
        String name = example.name().toLowerCase(Locale.ROOT) + "-" + options.scale();
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
        Configuration conf = EngineSettings.of(arm, options.cluster(), work);
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
