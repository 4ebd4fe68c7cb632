package org.berth.mapreduce.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.TIPStatus;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskID;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;

/** What the tasks of a job have reported: progress, counters, events, diagnostics. Thread-safe. */
public final class TaskBook {
    private final JobID job;
    private final Map<TaskID, Entry> tasks = new HashMap<>();
    private final List<TaskCompletionEvent> events = new ArrayList<>();
    private final Map<String, String> diagnostics = new HashMap<>();
    private int maps;
    private int reduces;

    private static final class Entry {
        private float progress;
        private String state = "";
        private Counters counters = new Counters();
        private TIPStatus status = TIPStatus.PENDING;
        private long start;
        private long finish;
        private final List<String> diagnostics = new ArrayList<>();
    }

    TaskBook(JobID job) {
        this.job = job;
    }

    synchronized void expect(int newMaps, int newReduces) {
        maps = newMaps;
        reduces = newReduces;
    }

    private Entry entry(TaskID task) {
        return tasks.computeIfAbsent(task, id -> new Entry());
    }

    /** Takes the progress and the counters of an attempt; those of a task that has succeeded stay. */
    public synchronized void report(TaskAttemptID id, TaskStatus status) {
        Entry entry = entry(id.getTaskID());
        if (entry.status == TIPStatus.COMPLETE) {
            return;
        }
        if (entry.start == 0) {
            entry.start = System.currentTimeMillis();
        }
        entry.status = TIPStatus.RUNNING;
        entry.progress = status.getProgress();
        entry.state = status.getStateString();
        entry.counters = status.getCounters();
    }

    /** Ends a task; its counters are those that were reported last. */
    public synchronized void succeeded(TaskAttemptID id) {
        Entry entry = entry(id.getTaskID());
        entry.status = TIPStatus.COMPLETE;
        entry.progress = 1f;
        entry.finish = System.currentTimeMillis();
        event(id, TaskCompletionEvent.Status.SUCCEEDED);
    }

    /**
     * Ends an attempt without success.
     *
     * @param last whether the task is not tried again
     * @param killed whether the attempt was stopped, so that it is no failure
     */
    public synchronized void failed(TaskAttemptID id, String why, boolean last, boolean killed) {
        Entry entry = entry(id.getTaskID());
        entry.progress = 0f;
        entry.counters = new Counters();
        entry.status = killed ? TIPStatus.KILLED : last ? TIPStatus.FAILED : TIPStatus.PENDING;
        entry.diagnostics.add(why);
        diagnostics.put(id.toString(), why);
        event(id, killed ? TaskCompletionEvent.Status.KILLED : TaskCompletionEvent.Status.FAILED);
    }

    private void event(TaskAttemptID id, TaskCompletionEvent.Status status) {
        boolean map = id.getTaskType() == TaskType.MAP;
        events.add(new TaskCompletionEvent(events.size(), id, id.getTaskID().getId(), map, status, ""));
    }

    synchronized float progress(TaskType type) {
        int number = type == TaskType.MAP ? maps : reduces;
        if (number == 0) {
            return 0f;
        }
        float sum = 0;
        for (int i = 0; i < number; i++) {
            Entry entry = tasks.get(new TaskID(job, type, i));
            sum += entry == null ? 0f : entry.progress;
        }
        return sum / number;
    }

    synchronized Counters counters() {
        Counters total = new Counters();
        for (Entry entry : tasks.values()) {
            total.incrAllCounters(entry.counters);
        }
        return total;
    }

    synchronized TaskCompletionEvent[] events(int from, int maximum) {
        int start = Math.min(Math.max(from, 0), events.size());
        return events.subList(start, Math.min(events.size(), start + maximum)).toArray(TaskCompletionEvent[]::new);
    }

    synchronized String[] diagnostics(org.apache.hadoop.mapreduce.TaskAttemptID id) {
        String why = diagnostics.get(id.toString());
        return why == null ? new String[0] : new String[] {why};
    }

    synchronized TaskReport[] reports(TaskType type) {
        int number = type == TaskType.MAP ? maps : type == TaskType.REDUCE ? reduces : 0;
        TaskReport[] result = new TaskReport[number];
        for (int i = 0; i < number; i++) {
            TaskID id = new TaskID(job, type, i);
            Entry entry = tasks.getOrDefault(id, new Entry());
            result[i] = new TaskReport(
                    id,
                    entry.progress,
                    entry.state,
                    entry.diagnostics.toArray(String[]::new),
                    entry.status,
                    entry.start,
                    entry.finish,
                    new org.apache.hadoop.mapreduce.Counters(entry.counters));
        }
        return result;
    }
}
