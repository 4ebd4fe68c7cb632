package org.berth.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.Job;
import org.berth.hadoopjobs.TestJobs;
import org.berth.oracle.ProcStatus;

/**
 * A job of Hadoop's examples on Berth's engine, whose output must be that of Hadoop's own runner. Its workers are threads of
 * this process, each with one PU.
 */
final class MapReduceWork implements Work {
    private final Path folder;
    private final String level;
    private final Map<String, String> expected;
    /** Known since the first job has ended: a worker has another name while it runs a task. */
    private final Set<Integer> workers = new TreeSet<>();

    MapReduceWork(Path folder, String level, long seed) throws Exception {
        this.folder = folder;
        this.level = level;
        TestJobs.text(folder.resolve("in"), 4, 4000, seed);
        if (!job("local").waitForCompletion(false)) {
            throw new IOException("Hadoop's own runner failed");
        }
        expected = TestJobs.output(folder.resolve("out-local"));
    }

    private Job job(String framework) throws IOException {
        return TestJobs.wordCount(
                TestJobs.conf(framework, folder), folder.resolve("in"), folder.resolve("out-" + framework), 3);
    }

    @Override
    public void once(Row row) throws Exception {
        Job job = job("berth");
        job.getConfiguration().set("berth.mapreduce.level", level);
        job.getConfiguration().set("berth.mapreduce.guard", "off");
        job.submit();
        while (!job.isComplete()) {
            checkMasks(row);
            Thread.sleep(20);
        }
        workers.addAll(
                ProcStatus.masks(pid(), name -> name.startsWith("berth-worker")).keySet());
        checkMasks(row);
        if (!job.isSuccessful()) {
            row.lost("the job failed");
        } else if (!TestJobs.output(folder.resolve("out-berth")).equals(expected)) {
            row.wrong("another output");
        }
        try (Stream<Path> old = Files.walk(folder.resolve("out-berth"))) {
            for (Path file : old.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private void checkMasks(Row row) {
        ProcStatus.masks(pid()).forEach((thread, mask) -> {
            if (workers.contains(thread) && !mask.matches("[0-9]+")) {
                row.escaped("worker " + thread + " has " + mask);
            }
        });
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }

    @Override
    public void close() {
        // The folder goes with all others.
    }
}
