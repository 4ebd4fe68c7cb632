package org.berth.mapreduce.embedded;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.berth.mapreduce.client.BerthJob;
import org.berth.mapreduce.client.Engine;
import org.berth.mapreduce.client.EngineJob;
import org.berth.mapreduce.client.EngineSettings;

/** The driver that runs tasks in the client's JVM. Jobs of all clients of this JVM share the worker threads. */
public final class EmbeddedEngine implements Engine {
    @Override
    public String name() {
        return "embedded";
    }

    @Override
    public List<String> properties() {
        return List.of();
    }

    @Override
    public EngineJob prepare(BerthJob job) {
        return new EmbeddedJob(job);
    }

    @Override
    public int slots(Configuration conf) {
        return EngineSettings.of(conf).threads();
    }

    @Override
    public FileSystem stagingFileSystem(Configuration conf) throws IOException {
        return FileSystem.getLocal(conf);
    }
}
