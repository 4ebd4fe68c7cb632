package org.berth.mapreduce.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of this JVM: those that run, and what is told of the last ones that have ended. Of an ended job only its status and
 * its task records stay, so that its configuration and its classes can be collected. Thread-safe.
 */
final class JobTable {
    private final AtomicInteger numbers = new AtomicInteger();

    /** By the text of their names: the identifiers of the two APIs are never equal. */
    private final Map<String, BerthJob> running = new LinkedHashMap<>();

    private final LinkedHashMap<String, Entry> ended = new LinkedHashMap<>();

    /** What a client may ask of a job. */
    record Entry(JobStatus status, TaskBook book) {}

    JobID newId(String run) {
        return new JobID(run, numbers.incrementAndGet());
    }

    synchronized void add(BerthJob job) {
        running.put(job.id().toString(), job);
    }

    /** Moves a job to those that have ended, and forgets the oldest ones beyond the bound. */
    synchronized void end(BerthJob job, int bound) {
        String name = job.id().toString();
        running.remove(name);
        ended.put(name, new Entry(job.status(), job.book()));
        while (ended.size() > bound) {
            ended.remove(ended.keySet().iterator().next());
        }
    }

    synchronized @Nullable BerthJob running(String name) {
        return running.get(name);
    }

    /**
     * Returns what is known of a job, or null when it is not a job of this JVM.
     *
     * @throws IOException when the job was forgotten
     */
    synchronized @Nullable Entry find(String run, org.apache.hadoop.mapreduce.JobID id) throws IOException {
        BerthJob job = running.get(id.toString());
        if (job != null) {
            return new Entry(job.status(), job.book());
        }
        Entry entry = ended.get(id.toString());
        if (entry == null && id.getJtIdentifier().equals(run) && id.getId() <= numbers.get()) {
            throw new IOException(
                    id + " ended long ago: this JVM remembers the last ended jobs only; ask earlier, or raise "
                            + EngineSettings.HISTORY);
        }
        return entry;
    }

    synchronized JobStatus[] all() {
        List<JobStatus> result = new ArrayList<>();
        ended.values().forEach(entry -> result.add(entry.status()));
        running.values().forEach(job -> result.add(job.status()));
        return result.toArray(JobStatus[]::new);
    }

    synchronized int runningJobs() {
        return running.size();
    }
}
