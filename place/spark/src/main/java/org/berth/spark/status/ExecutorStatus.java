package org.berth.spark.status;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The bindings and counters of one executor at one moment, as they are sent to the driver and shown there. Immutable.
 *
 * <p>Strings come from other machines and are for people: code that shows them must escape them. Strings and lists that are
 * too long are cut here, on both sides of the wire, so that no executor can fill the driver's memory; notes report what was
 * left out. Sets of CPUs and nodes are the kernel's lists ("0-3,8") of OS indexes.
 *
 * @param executorId Spark's id: "0", "1", …, and "driver" in local mode
 * @param host Spark's name of the executor's host
 * @param pid process id on that host, in the executor's own PID namespace
 * @param timeMillis when this was collected, milliseconds since 1970 by the executor's clock
 * @param level the level in force (none, numa, package, l3, core, pu), never "auto"
 * @param reason why this level and this domain, as one line for people
 * @param topologyId id of the machine, see {@link StatusTopology}; empty when the executor does not know it
 * @param cpus the CPUs of the executor's domain; empty when they are not known
 * @param nodes the memory nodes of the domain; empty when the machine names none
 * @param slots the slots of tasks, ordered by number
 * @param counters events since the executor started
 * @param heap its heap by node and page size
 * @param threads the service threads that are bound
 * @param notes what could not be done and why, one line each
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
        List<SlotStatus> slots,
        Counters counters,
        HeapStatus heap,
        List<ServiceThread> threads,
        List<String> notes)
        implements Serializable {

    /** The value of a counter that is not known; a note gives the reason. */
    static final long UNKNOWN = -1;

    static final int MAX_SLOTS = 4096;
    static final int MAX_THREADS = 512;
    static final int MAX_NOTES = 50;
    private static final int MAX_TASKS = 64;
    private static final int MAX_LINE = 1000;
    /** The longest list that a kernel with 8,192 CPUs can write. */
    private static final int MAX_SET = 24_000;

    public ExecutorStatus {
        List<String> cut = new ArrayList<>(cut(MAX_NOTES, notes));
        leftOut("notes", notes.size(), MAX_NOTES, cut);
        leftOut("task slots", slots.size(), MAX_SLOTS, cut);
        leftOut("service threads", threads.size(), MAX_THREADS, cut);
        cut.replaceAll(ExecutorStatus::line);
        executorId = line(executorId);
        host = line(host);
        level = line(level);
        reason = line(reason);
        topologyId = line(topologyId);
        cpus = set(cpus);
        nodes = set(nodes);
        slots = cut(MAX_SLOTS, slots);
        threads = cut(MAX_THREADS, threads);
        notes = List.copyOf(cut);
    }

    /**
     * A slot for tasks.
     *
     * @param index its number in the executor, from 0
     * @param cpus the CPUs that a task of this slot may use
     * @param nodes the memory nodes near these CPUs; empty when the machine names none
     * @param tasks ids (Spark's TID) of the tasks that run there: none when it is free, several when they share it
     */
    public record SlotStatus(int index, String cpus, String nodes, List<Long> tasks) implements Serializable {
        public SlotStatus {
            cpus = set(cpus);
            nodes = set(nodes);
            tasks = cut(MAX_TASKS, tasks);
        }
    }

    /**
     * Events since the start of the executor; {@link #UNKNOWN} where the number is not known.
     *
     * @param tasks how many tasks got a slot
     * @param shared how many of them had to share it
     * @param rebinds how often a thread that had a slot was bound to another one, or to the same once more
     * @param bindFailures how often the kernel refused, or the library was missing
     * @param widenings how often slots were widened, because they cost more than they gained
     * @param migrations migrations of the executor's threads between CPUs: the kernel's count, or where it has none,
     *     those between two samples
     * @param cacheMigrations migrations to another L3 cache (the last level of cache) between two samples: a lower bound
     * @param nodeMigrations migrations to another memory node between two samples: a lower bound
     * @param memoryBytes memory of the process
     * @param remoteBytes memory on nodes outside the domain
     * @param remotePages the same in pages of the smallest size
     * @param own what Berth uses itself
     */
    public record Counters(
            long tasks,
            long shared,
            long rebinds,
            long bindFailures,
            long widenings,
            long migrations,
            long cacheMigrations,
            long nodeMigrations,
            long memoryBytes,
            long remoteBytes,
            long remotePages,
            OwnCost.Sum own)
            implements Serializable {
        /** No events, and the kernel's counters are not known. */
        static final Counters NONE =
                new Counters(0, 0, 0, 0, 0, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, OwnCost.Sum.NONE);

        /** The values by their names in metrics and JSON, in the order of the components. */
        public Map<String, Long> byName() {
            Map<String, Long> values = new LinkedHashMap<>();
            values.put("tasks", tasks);
            values.put("sharedTasks", shared);
            values.put("rebinds", rebinds);
            values.put("bindFailures", bindFailures);
            values.put("widenings", widenings);
            values.put("migrations", migrations);
            values.put("cacheMigrations", cacheMigrations);
            values.put("nodeMigrations", nodeMigrations);
            values.put("memoryBytes", memoryBytes);
            values.put("remoteBytes", remoteBytes);
            values.put("remotePages", remotePages);
            values.put("ownStartMillis", own.startMillis());
            values.put("ownCpuNanos", own.cpuNanos());
            values.put("ownAllocatedBytes", own.allocatedBytes());
            return values;
        }

        /** The sum; a value that only one of them knows counts as the sum. */
        Counters plus(Counters other) {
            return new Counters(
                    sum(tasks, other.tasks),
                    sum(shared, other.shared),
                    sum(rebinds, other.rebinds),
                    sum(bindFailures, other.bindFailures),
                    sum(widenings, other.widenings),
                    sum(migrations, other.migrations),
                    sum(cacheMigrations, other.cacheMigrations),
                    sum(nodeMigrations, other.nodeMigrations),
                    sum(memoryBytes, other.memoryBytes),
                    sum(remoteBytes, other.remoteBytes),
                    sum(remotePages, other.remotePages),
                    new OwnCost.Sum(
                            sum(own.startMillis(), other.own.startMillis()),
                            sum(own.cpuNanos(), other.own.cpuNanos()),
                            sum(own.allocatedBytes(), other.own.allocatedBytes())));
        }

        /** The counters of an executor that has ended, and whose memory is free. */
        Counters withoutMemory() {
            return new Counters(
                    tasks,
                    shared,
                    rebinds,
                    bindFailures,
                    widenings,
                    migrations,
                    cacheMigrations,
                    nodeMigrations,
                    UNKNOWN,
                    UNKNOWN,
                    UNKNOWN,
                    own);
        }

        private static long sum(long one, long other) {
            return one < 0 ? other : other < 0 ? one : one + other;
        }
    }

    /**
     * A thread of Spark or of the JVM that runs no tasks.
     *
     * @param role its purpose ("shuffle-server", "rpc", "gc", …)
     * @param name its Java name
     * @param cpus the CPUs that it is bound to
     */
    public record ServiceThread(String role, String name, String cpus) implements Serializable {
        public ServiceThread {
            role = line(role);
            name = line(name);
            cpus = set(cpus);
        }
    }

    /** The approximate size of this status, in characters. */
    long characters() {
        long sum = 500L + executorId.length() + host.length() + reason.length() + cpus.length() + nodes.length();
        for (SlotStatus slot : slots) {
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
        return sum
                + heap.characters()
                + notes.stream().mapToLong(String::length).sum();
    }

    private static void leftOut(String what, int size, int limit, List<String> notes) {
        if (size > limit) {
            notes.add((size - limit) + " of " + size + " " + what + " are left out here");
        }
    }

    static <T> List<T> cut(int limit, List<T> list) {
        return List.copyOf(list.size() > limit ? list.subList(0, limit) : list);
    }

    static String line(String text) {
        return text.length() > MAX_LINE ? text.substring(0, MAX_LINE) + "…" : text;
    }

    private static String set(String list) {
        return list.length() > MAX_SET ? list.substring(0, MAX_SET) + "…" : list;
    }
}
