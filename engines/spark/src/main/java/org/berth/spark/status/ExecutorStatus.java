package org.berth.spark.status;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the plugin of one executor does at one moment, as it is sent to the driver and shown there. Immutable.
 *
 * <p>Strings are names and numbers for people and come from other machines: whoever shows them escapes them. What is too
 * long or too much is cut here, on both sides of the wire, so that no executor can fill the driver's memory; notes say
 * what was left out. Sets of CPUs and nodes are the kernel's lists ("0-3,8"), of osIndexes.
 *
 * @param executorId Spark's own: "0", "1", …, and "driver" in local mode
 * @param host as Spark knows the host of the executor
 * @param pid process id on that host, in the executor's own PID namespace
 * @param timeMillis when this was collected, milliseconds since 1970 by the executor's clock
 * @param level the level that is used (none, numa, cpu, core, pu), never "auto"
 * @param reason why this level and these places, as one line for people
 * @param topologyId which machine, see {@link StatusTopology}; empty when the executor could not look at it
 * @param cpus the CPUs that the executor has for itself, its domain; empty when nothing could be found out
 * @param nodes the memory nodes of the domain; empty when the machine names none
 * @param slots the places of tasks, in the order of their numbers
 * @param counters what happened since the executor started
 * @param threads the service threads that were given a place
 * @param notes what could not be done and why, each as one line for people
 */
public record ExecutorStatus(
        String executorId,
        String host,
        long pid,
        long timeMillis,
        String level,
        String reason,
        String topologyId,
        String cpus,
        String nodes,
        List<TaskSlot> slots,
        Counters counters,
        List<ServiceThread> threads,
        List<String> notes)
        implements Serializable {

    /** In a counter: nobody can say, and a note says why. */
    static final long UNKNOWN = -1;

    static final int MOST_SLOTS = 4096;
    static final int MOST_THREADS = 512;
    static final int MOST_NOTES = 50;
    private static final int MOST_TASKS = 64;
    private static final int LONGEST_LINE = 1000;
    /** The longest list of CPUs that a kernel of 8,192 can write. */
    private static final int LONGEST_SET = 24_000;

    public ExecutorStatus {
        List<String> cut = new ArrayList<>(most(MOST_NOTES, notes));
        leftOut("notes", notes.size(), MOST_NOTES, cut);
        leftOut("task slots", slots.size(), MOST_SLOTS, cut);
        leftOut("service threads", threads.size(), MOST_THREADS, cut);
        cut.replaceAll(ExecutorStatus::line);
        executorId = line(executorId);
        host = line(host);
        level = line(level);
        reason = line(reason);
        topologyId = line(topologyId);
        cpus = set(cpus);
        nodes = set(nodes);
        slots = most(MOST_SLOTS, slots);
        threads = most(MOST_THREADS, threads);
        notes = List.copyOf(cut);
    }

    /**
     * A place of tasks.
     *
     * @param index its number in the executor, from 0
     * @param cpus the CPUs that a task of this slot may use
     * @param nodes the memory nodes near to them; empty when the machine names none
     * @param tasks Spark's ids (TID) of the tasks that run there now: none when it is free, several when they share it
     */
    public record TaskSlot(int index, String cpus, String nodes, List<Long> tasks) implements Serializable {
        public TaskSlot {
            cpus = set(cpus);
            nodes = set(nodes);
            tasks = most(MOST_TASKS, tasks);
        }
    }

    /**
     * What happened since the start of the executor; {@link #UNKNOWN} where nobody can say.
     *
     * @param tasks how many tasks were given a slot
     * @param shared how many of them had to share it
     * @param rebinds how often a thread that had a place was bound to another one or once more
     * @param bindFailures how often the kernel refused, or the library was not there
     * @param migrations moves of the executor's threads between CPUs, by the kernel's count where it has one, else those
     *     that were seen
     * @param nodeMigrations those that were seen to leave a memory node: a lower bound
     * @param memoryBytes memory of the process
     * @param remoteBytes how much of it is on other nodes than those of the domain
     * @param remotePages the same in pages of the machine's smallest size
     */
    public record Counters(
            long tasks,
            long shared,
            long rebinds,
            long bindFailures,
            long migrations,
            long nodeMigrations,
            long memoryBytes,
            long remoteBytes,
            long remotePages)
            implements Serializable {
        /** Nothing has happened, and nobody knows of the rest. */
        static final Counters NONE = new Counters(0, 0, 0, 0, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);

        /** By the names that metrics and JSON have, in the order of the components. */
        public Map<String, Long> byName() {
            Map<String, Long> values = new LinkedHashMap<>();
            values.put("tasks", tasks);
            values.put("sharedTasks", shared);
            values.put("rebinds", rebinds);
            values.put("bindFailures", bindFailures);
            values.put("migrations", migrations);
            values.put("nodeMigrations", nodeMigrations);
            values.put("memoryBytes", memoryBytes);
            values.put("remoteBytes", remoteBytes);
            values.put("remotePages", remotePages);
            return values;
        }

        /** Both together; what only one of them knows counts. */
        Counters plus(Counters other) {
            return new Counters(
                    sum(tasks, other.tasks),
                    sum(shared, other.shared),
                    sum(rebinds, other.rebinds),
                    sum(bindFailures, other.bindFailures),
                    sum(migrations, other.migrations),
                    sum(nodeMigrations, other.nodeMigrations),
                    sum(memoryBytes, other.memoryBytes),
                    sum(remoteBytes, other.remoteBytes),
                    sum(remotePages, other.remotePages));
        }

        /** What is left of an executor that is gone: its memory is not. */
        Counters withoutMemory() {
            return new Counters(
                    tasks, shared, rebinds, bindFailures, migrations, nodeMigrations, UNKNOWN, UNKNOWN, UNKNOWN);
        }

        private static long sum(long one, long other) {
            return one < 0 ? other : other < 0 ? one : one + other;
        }
    }

    /**
     * A thread of Spark or of the JVM that runs no tasks.
     *
     * @param role what it is for ("shuffle-server", "rpc", "gc", …)
     * @param name its Java name
     * @param cpus where it was put
     */
    public record ServiceThread(String role, String name, String cpus) implements Serializable {
        public ServiceThread {
            role = line(role);
            name = line(name);
            cpus = set(cpus);
        }
    }

    /** About how much memory this takes, in characters. */
    long characters() {
        long sum = 500L + executorId.length() + host.length() + reason.length() + cpus.length() + nodes.length();
        for (TaskSlot slot : slots) {
            sum += 60
                    + slot.cpus().length()
                    + slot.nodes().length()
                    + 12L * slot.tasks().size();
        }
        for (ServiceThread thread : threads) {
            sum += 60
                    + thread.role().length()
                    + thread.name().length()
                    + thread.cpus().length();
        }
        return sum + notes.stream().mapToLong(String::length).sum();
    }

    private static void leftOut(String what, int size, int most, List<String> notes) {
        if (size > most) {
            notes.add((size - most) + " of " + size + " " + what + " are left out here");
        }
    }

    private static <T> List<T> most(int most, List<T> list) {
        return List.copyOf(list.size() > most ? list.subList(0, most) : list);
    }

    private static String line(String text) {
        return text.length() > LONGEST_LINE ? text.substring(0, LONGEST_LINE) + "…" : text;
    }

    private static String set(String list) {
        return list.length() > LONGEST_SET ? list.substring(0, LONGEST_SET) + "…" : list;
    }
}
