package org.berth.spark.status;

import java.util.List;
import java.util.stream.IntStream;
import org.berth.machines.Machines;
import org.berth.spark.status.ExecutorStatus.Counters;
import org.berth.spark.status.ExecutorStatus.ServiceThread;
import org.berth.spark.status.ExecutorStatus.SlotStatus;

/** Statuses as executors could send them. */
public final class UiFixture {
    public static final long NOW_MILLIS = 1_800_000_000_000L;

    private UiFixture() {}

    public static Counters counters(long tasks) {
        return new Counters(
                tasks, 0, 3, 1, 6, 17, 5, 2, 4L << 30, 40L << 20, 10240, new OwnCost.Sum(57, 1_500_000, 3L << 20));
    }

    /** 2 GiB on node 0 in huge pages, and 512 MiB on node 1, of which a quarter is. */
    public static HeapStatus heap() {
        return new HeapStatus(
                List.of(new HeapStatus.OnNode(0, 2L << 30, 2L << 30), new HeapStatus.OnNode(1, 512L << 20, 128L << 20)),
                "",
                "-XX:+UseTransparentHugePages",
                "madvise, defrag madvise");
    }

    /** Two slots; the second one runs a task. */
    public static ExecutorStatus status(String id, String host, String topology, String first, String second) {
        return new ExecutorStatus(
                id,
                host,
                4711,
                NOW_MILLIS,
                "core",
                "two cores for two tasks",
                topology,
                first + "," + second,
                "0",
                List.of(new SlotStatus(0, first, "0", List.of()), new SlotStatus(1, second, "0", List.of(42L))),
                counters(100),
                heap(),
                List.of(new ServiceThread("shuffle", "shuffle-server-5-1", first)),
                List.of());
    }

    /** Each text is the given one. */
    public static ExecutorStatus texts(String id, String text) {
        return new ExecutorStatus(
                id,
                text,
                1,
                NOW_MILLIS,
                text,
                text,
                text,
                text,
                text,
                List.of(new SlotStatus(0, text, text, List.of(1L))),
                counters(1),
                HeapStatus.unknown(text, text, text),
                List.of(new ServiceThread(text, text, text)),
                List.of(text));
    }

    /** Some service threads of one role, "ROLE-0" and so on. */
    public static ExecutorStatus threads(String id, String role, String cpus, int count) {
        List<ServiceThread> threads = IntStream.range(0, count)
                .mapToObj(number -> new ServiceThread(role, role + "-" + number, cpus))
                .toList();
        return bound(id, counters(100), threads);
    }

    /** An executor without a running task that has run a number of them, and has bound a thread anew three times. */
    public static ExecutorStatus idle(String id, long tasks) {
        return bound(id, counters(tasks), List.of());
    }

    private static ExecutorStatus bound(String id, Counters counters, List<ServiceThread> threads) {
        return new ExecutorStatus(
                id,
                "alpha",
                4711,
                NOW_MILLIS,
                "core",
                "one core for one task",
                "m",
                "0",
                "0",
                List.of(new SlotStatus(0, "0", "0", List.of())),
                counters,
                heap(),
                threads,
                List.of());
    }

    public static StatusTopology machine(String name) {
        return new StatusTopology(name, Machines.xml(name));
    }
}
