package org.berth.jobs;

import org.apache.spark.SparkConf;

/** How the jobs on Spark start it. */
final class SparkJob {
    static final String FAILING = "Spark cannot run the job";

    /** Common to the help of all jobs on Spark. */
    static final String HELP = """
              --threads N        task threads in local mode (default: the processors that the JVM may use);
                                 -Dspark.master=URL takes its place
              --prepare          only check the options, and make the data if it is not there
              --verbose          the stack trace of a failure
              --help             this text
            Spark's own settings are taken from system properties: java -Dspark.plugins=CLASS...
            """;

    private SparkJob() {}

    /** The user's system properties ({@code -Dspark.…}) come first. */
    static SparkConf configuration(String name, int threads) {
        SparkConf conf = new SparkConf()
                .setIfMissing("spark.app.name", "berth-" + name)
                .setIfMissing("spark.master", "local[" + threads + "]")
                .setIfMissing("spark.ui.enabled", "false");
        if (conf.get("spark.master").startsWith("local[")) {
            // Nobody else takes part, and the look-up of the host's own name can take seconds.
            conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1").setIfMissing("spark.driver.host", "127.0.0.1");
        }
        return conf;
    }

    /** For jobs that leave little behind. */
    static SparkConf withoutCleaner(String name, int threads) {
        // Removing each stage's few kilobytes after a collection starts almost 200 threads in a run.
        return configuration(name, threads).setIfMissing("spark.cleaner.referenceTracking", "false");
    }
}
