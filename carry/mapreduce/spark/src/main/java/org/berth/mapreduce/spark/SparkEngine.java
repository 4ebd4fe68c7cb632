package org.berth.mapreduce.spark;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.berth.mapreduce.client.BerthJob;
import org.berth.mapreduce.client.Engine;
import org.berth.mapreduce.client.EngineJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The driver that runs maps and reduces as tasks of Spark, on the executors of one application. */
public final class SparkEngine implements Engine {
    private static final Logger LOG = LoggerFactory.getLogger(SparkEngine.class);

    @Override
    public String name() {
        return "spark";
    }

    @Override
    public List<String> properties() {
        return ApplicationSettings.PROPERTIES;
    }

    /** Starting Spark takes longer than all that a client does until it submits. */
    @Override
    public void expectJob(Configuration conf) {
        SparkApplication.startEarly(conf);
    }

    @Override
    public EngineJob prepare(BerthJob job) throws IOException {
        ApplicationSettings.idleSeconds(job.conf());
        ApplicationSettings.withoutEffect(job.conf()).forEach(LOG::warn);
        return new SparkJob(job);
    }

    @Override
    public int slots(Configuration conf) {
        return SparkApplication.slots(conf);
    }

    /** Returns the default file system: executors on other hosts read the splits from there. */
    @Override
    public FileSystem stagingFileSystem(Configuration conf) throws IOException {
        return FileSystem.get(conf);
    }
}
