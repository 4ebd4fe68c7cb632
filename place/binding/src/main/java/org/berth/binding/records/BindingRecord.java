package org.berth.binding.records;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.berth.topology.CpuSet;

/**
 * The masks that the threads of a process had before they were bound from outside. Immutable.
 *
 * @param pid process id
 * @param startTime when the process began, in the kernel's ticks since boot (field 22 of proc_pid_stat(5))
 * @param leader the mask of the first thread, which threads without their own line get back
 * @param threads masks by thread id and start time, as {@code 4243-98765}
 * @since 0.1.0
 */
public record BindingRecord(int pid, String startTime, CpuSet leader, Map<String, CpuSet> threads) {
    private static final String HEADER = "berth-bound 1";

    public BindingRecord {
        threads = Collections.unmodifiableMap(new TreeMap<>(threads));
    }

    /** All CPUs that some thread had. */
    public CpuSet cpus() {
        return threads.values().stream().reduce(leader, CpuSet::union);
    }

    /** Returns the name of a thread in the record: its id and the time at which it started. */
    public static String key(int tid, String startTime) {
        return tid + "-" + startTime;
    }

    /** Returns this record with more threads. */
    public BindingRecord with(Map<String, CpuSet> more) {
        Map<String, CpuSet> all = new TreeMap<>(more);
        all.putAll(threads);
        return new BindingRecord(pid, startTime, leader, all);
    }

    /** One line per thread, ended by a line that a cut-off file lacks. */
    String toText(String boot) {
        StringBuilder text = new StringBuilder(HEADER + "\n");
        text.append("process ")
                .append(pid)
                .append(' ')
                .append(startTime)
                .append(' ')
                .append(boot)
                .append('\n');
        text.append("leader ").append(leader).append('\n');
        threads.forEach((key, cpus) ->
                text.append("thread ").append(key).append(' ').append(cpus).append('\n'));
        return text.append("end\n").toString();
    }

    /**
     * The record in a text.
     *
     * @throws IllegalArgumentException when it is cut off, or of another process or boot
     */
    static BindingRecord parse(String text, int pid, String startTime, String boot) {
        String[] lines = text.split("\n", -1);
        int end = lines.length - 2;
        if (end < 3
                || !lines[0].equals(HEADER)
                || !lines[1].equals("process " + pid + " " + startTime + " " + boot)
                || !lines[2].startsWith("leader ")
                || !lines[end].equals("end")) {
            throw new IllegalArgumentException("it is not the record of this process");
        }
        Map<String, CpuSet> threads = new TreeMap<>();
        for (int i = 3; i < end; i++) {
            String[] words = lines[i].split(" ", -1);
            if (words.length != 3 || !words[0].equals("thread")) {
                throw new IllegalArgumentException("line " + (i + 1) + " is not a thread");
            }
            threads.put(words[1], CpuSet.parseList(words[2]));
        }
        return new BindingRecord(pid, startTime, CpuSet.parseList(lines[2].substring("leader ".length())), threads);
    }
}
