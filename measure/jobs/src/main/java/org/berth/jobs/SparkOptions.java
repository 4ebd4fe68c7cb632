package org.berth.jobs;

import org.berth.jobkit.JobOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of every job on Spark. */
@Command(
        footer = "Spark's own settings are taken from system properties: java -Dspark.plugins=CLASS...; "
                + "-Dspark.master=URL replaces --threads.")
public abstract class SparkOptions extends JobOptions {
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Task threads in local mode (default: the processors that the JVM may use).")
    private int threads = Runtime.getRuntime().availableProcessors();

    public int threads() {
        return threads;
    }
}
