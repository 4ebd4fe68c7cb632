package org.berth.examples;

import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.berth.jobkit.EngineArm;

/** Settings of a job that choose its engine. */
final class ExampleEngine {
    /** A client asks every second whether its job has ended, which would be most of a short job. */
    private static final int POLL_MILLISECONDS = 50;

    private ExampleEngine() {}

    /**
     * The configuration of the job's client.
     *
     * @param cluster client settings of a YARN that runs
     * @param work folder for all that the job writes
     */
    static Configuration of(EngineArm arm, Optional<Path> cluster, Path work) {
        Configuration conf = new Configuration();
        conf.set("fs.defaultFS", "file:///");
        conf.set("hadoop.tmp.dir", work.resolve("tmp").toString());
        conf.setInt("mapreduce.client.completion.pollinterval", POLL_MILLISECONDS);
        conf.setInt("mapreduce.client.progressmonitor.pollinterval", POLL_MILLISECONDS);
        switch (arm.engine()) {
            case LOCAL -> {
                conf.set("mapreduce.framework.name", "local");
                conf.setInt("mapreduce.local.map.tasks.maximum", arm.localTasks());
                conf.setInt("mapreduce.local.reduce.tasks.maximum", arm.localTasks());
            }
            case BERTH -> conf.set("mapreduce.framework.name", "berth");
            case BERTH_SPARK -> {
                conf.set("mapreduce.framework.name", "berth");
                conf.set("berth.mapreduce.engine", "spark");
                conf.set("berth.mapreduce.spark.master", sparkMaster());
                conf.set("spark.ui.enabled", "false");
            }
            case SPARK_RDD -> {}
            case YARN, TEZ -> {
                conf.addResource(
                        new org.apache.hadoop.fs.Path(cluster.orElseThrow().toUri()));
                conf.set("mapreduce.framework.name", arm.engine() == EngineArm.Engine.TEZ ? "yarn-tez" : "yarn");
                // With a local default file system Hadoop's tasks look for TeraSort's sample in the client's working
                // directory instead of their own. Equal ranges of random keys need no sample.
                conf.setBoolean("mapreduce.terasort.simplepartitioner", true);
            }
        }
        arm.settings().forEach(conf::set);
        return conf;
    }

    /** Local mode with a thread for each CPU. */
    static String sparkMaster() {
        return "local[" + Runtime.getRuntime().availableProcessors() + "]";
    }
}
