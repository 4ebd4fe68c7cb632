package org.berth.jobs;

import org.apache.spark.SparkConf;
import org.berth.jobkit.JobMain;

/** How the jobs on Spark start it. */
public final class SparkStart {

    private SparkStart() {}

    /** Runs the job, and ends the JVM with another exit code than 0 when it fails. */
    public static <O extends SparkOptions> void run(
            String name, O options, String[] words, JobMain.Work<O> preparation, JobMain.Work<O> work) {
        int exitCode = JobMain.run(name, "Spark cannot run the job", options, words, preparation, work);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }

    /** The user's system properties ({@code -Dspark.…}) come first. */
    public static SparkConf configuration(String name, int threads) {
        SparkConf conf = new SparkConf()
                .setIfMissing("spark.app.name", "berth-" + name)
                .setIfMissing("spark.master", "local[" + threads + "]")
                .setIfMissing("spark.ui.enabled", "false");
        if (conf.get("spark.master").startsWith("local[")) {
            // No other host takes part, and resolving the host's own name can take seconds.
            conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1").setIfMissing("spark.driver.host", "127.0.0.1");
        }
        return conf;
    }

    /** The configuration for jobs that leave little behind. */
    public static SparkConf withoutCleaner(String name, int threads) {
        // Removing each stage's few kilobytes after a collection starts almost 200 threads in a run.
        return configuration(name, threads).setIfMissing("spark.cleaner.referenceTracking", "false");
    }
}
