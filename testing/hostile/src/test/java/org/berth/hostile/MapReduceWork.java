package org.berth.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.Job;
import org.berth.hadoopjobs.Jobs;

/** A job of Hadoop's examples on Berth's engine, whose output must be that of Hadoop's own runner. */
final class MapReduceWork implements Work {
    private final Path folder;
    private final Map<String, String> expected;

    MapReduceWork(Path folder, long seed) throws Exception {
        this.folder = folder;
        Jobs.text(folder.resolve("in"), 4, 4000, seed);
        if (!job("local").waitForCompletion(false)) {
            throw new IOException("Hadoop's own runner failed");
        }
        expected = Jobs.output(folder.resolve("out-local"));
    }

    private Job job(String framework) throws IOException {
        return Jobs.wordCount(
                Jobs.conf(framework, folder), folder.resolve("in"), folder.resolve("out-" + framework), 3);
    }

    @Override
    public void once(Row row) throws Exception {
        Job job = job("berth");
        job.getConfiguration().set("berth.mapreduce.level", "pu");
        if (!job.waitForCompletion(false)) {
            row.lost("the job failed");
        } else if (!Jobs.output(folder.resolve("out-berth")).equals(expected)) {
            row.wrong("another output");
        }
        try (Stream<Path> old = Files.walk(folder.resolve("out-berth"))) {
            for (Path file : old.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Override
    public void close() {
        // The folder goes with all others.
    }
}
