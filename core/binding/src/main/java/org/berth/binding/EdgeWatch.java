package org.berth.binding;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.berth.binding.internal.NativeBridge;
import org.berth.observation.CompilerThreads;
import org.berth.observation.CpuTimes;
import org.berth.observation.CpuTimesReader;
import org.berth.observation.RunQueueReader;
import org.berth.observation.RunQueueTimes;
import org.berth.placement.EdgeChange;
import org.berth.placement.EdgeSample;
import org.berth.placement.EdgeSettings;
import org.berth.placement.SlotTimes;
import org.berth.placement.SoftEdges;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * Opens and closes the edges of slots as {@link SoftEdges} decides, by a thread of its own that reads how long the threads
 * in the slots wait for a CPU: every 10 ms while a thread waits in a closed slot, every 50 ms otherwise, and less often where
 * that would take more than 0.4 % of a CPU, which the kernel's count of its own CPU time tells it.
 *
 * <p><b>Thread safety</b>: any thread may call any method.
 *
 * @since 0.1.0
 */
public final class EdgeWatch implements AutoCloseable {
    private static final long ALARMED_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long CALM_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Without threads in slots {@link #wake} ends the pause. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A JVM starts compiler threads when many methods wait, and ends them when they have nothing to do. */
    private static final long COMPILERS_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** USER_HZ, the unit of /proc/stat, is 100 on every architecture that HotSpot runs on. */
    private static final long TICK_NANOS = 10_000_000;

    private static final RunQueueTimes NOTHING = new RunQueueTimes(0, 0);

    private final EdgeSettings settings;
    private final Slots slots;
    private final Listener listener;
    private final Thread thread = new Thread(this::run, "berth-edges");
    private final SamplingPace pace = new SamplingPace();
    private final List<Integer> groups;
    private final List<CpuSet> cpusOfSlots;
    private final Map<Integer, RunQueueTimes> last = new HashMap<>();
    private final List<SlotTimes> times = new ArrayList<>();
    private final CompilerThreads finder = new CompilerThreads();
    private List<Integer> compilers = List.of();
    private long compilersFound;
    private @Nullable CpuTimes lastCpus;
    private long compilerWait;
    private int self;
    private @Nullable SoftEdges edges;
    private volatile boolean closed;
    private volatile boolean idle;
    private volatile EdgeCounts counts = EdgeCounts.NONE;

    /** The slots of a program. Called by the watching thread only, and never at the same time. */
    public interface Slots {
        /** For each slot a number from 0; slots with the same number have the same reach. Always the same list. */
        List<Integer> groups();

        /** The CPUs of each slot. Always the same list. */
        List<CpuSet> cpus();

        /** The threads that have slots at this moment, or have had them last. */
        List<Holder> holders();

        /**
         * Widens or narrows the masks of the threads of a slot, and of those that get it later.
         *
         * @throws RuntimeException when the kernel refuses; all edges are opened then, and the watching ends
         */
        void change(int slot, boolean open);
    }

    /**
     * A thread in its slots.
     *
     * @param tid the kernel's thread id
     * @param slots numbers of the slots; a thread may have several
     * @param busy whether it has work there now
     */
    public record Holder(int tid, List<Integer> slots, boolean busy) {}

    /** What the watching thread tells; must not throw. */
    public interface Listener {
        /** An edge opens or closes; {@link #counts} has it already. */
        void changed(EdgeChange change);

        /** The watching ends, with all edges open; one line. */
        void failed(String reason);

        /** Each sample, for a recording. */
        default void sampled(EdgeSample sample) {}
    }

    private record Readers(RunQueueReader threads, CpuTimesReader cpus) {}

    private EdgeWatch(EdgeSettings settings, Slots slots, Listener listener) {
        this.settings = settings;
        this.slots = slots;
        this.listener = listener;
        this.groups = List.copyOf(slots.groups());
        this.cpusOfSlots = List.copyOf(slots.cpus());
        this.times.addAll(Collections.nCopies(groups.size(), new SlotTimes(0, 0, 0)));
    }

    /**
     * Starts to watch. All edges must be open, and stay open where the kernel does not tell how long threads wait: the
     * listener is told.
     */
    public static EdgeWatch start(EdgeSettings settings, Slots slots, Listener listener) {
        EdgeWatch watch = new EdgeWatch(settings, slots, listener);
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    /** To be called when a thread gets a slot: after a while without any, the watching thread sleeps. */
    public void wake() {
        if (idle) {
            idle = false;
            LockSupport.unpark(thread);
        }
    }

    /** What has happened so far. */
    public EdgeCounts counts() {
        return counts;
    }

    private void run() {
        try (RunQueueReader reader = RunQueueReader.ofThisProcess();
                CpuTimesReader cpus = CpuTimesReader.ofThisMachine()) {
            Readers readers = new Readers(reader, cpus);
            self = NativeBridge.currentThreadId();
            Optional<String> obstacle = reader.obstacle(self);
            if (obstacle.isPresent()) {
                listener.failed(obstacle.get() + "; so all edges stay open, and no thread is bound tighter than that");
                return;
            }
            while (!closed) {
                List<Holder> holders = slots.holders();
                boolean[] held = held(holders);
                sample(readers, holders, held);
                pause(reader, !isAny(held));
            }
        } catch (Throwable e) {
            listener.failed("all edges stay open: " + openAll(e));
        }
    }

    private void pause(RunQueueReader reader, boolean nobody) {
        SoftEdges present = edges;
        boolean alarmed = present != null && present.isAlarmed();
        long nanos = pace.next(
                reader.read(self).map(RunQueueTimes::runNanos).orElse(0L),
                nobody ? IDLE_NANOS : alarmed ? ALARMED_NANOS : CALM_NANOS);
        idle = nobody;
        LockSupport.parkNanos(this, nanos);
        idle = false;
    }

    private boolean[] held(List<Holder> holders) {
        boolean[] held = new boolean[groups.size()];
        for (Holder holder : holders) {
            if (holder.busy()) {
                holder.slots().forEach(slot -> held[slot] = true);
            }
        }
        return held;
    }

    private static boolean isAny(boolean[] flags) {
        for (boolean flag : flags) {
            if (flag) {
                return true;
            }
        }
        return false;
    }

    private void sample(Readers readers, List<Holder> holders, boolean[] held) {
        long now = System.nanoTime();
        Set<Integer> read = new HashSet<>();
        for (Holder holder : holders) {
            read.add(holder.tid());
            RunQueueTimes more = more(readers.threads, holder.tid());
            holder.slots().forEach(slot -> add(slot, more.runNanos(), more.waitNanos(), 0));
        }
        CpuTimes cpus = readers.cpus.read();
        CpuTimes before = lastCpus;
        lastCpus = cpus;
        for (int slot = 0; before != null && slot < times.size(); slot++) {
            add(slot, 0, 0, idleNanos(cpusOfSlots.get(slot), before, cpus));
        }
        if (now - compilersFound > COMPILERS_NANOS || compilers.isEmpty()) {
            compilers = finder.find();
            compilersFound = now;
        }
        for (int tid : compilers) {
            read.add(tid);
            compilerWait += more(readers.threads, tid).waitNanos();
        }
        last.keySet().retainAll(read);
        readers.threads.keepOnly(tid -> read.contains(tid) || tid == self);
        EdgeSample sample = new EdgeSample(now, compilerWait, times);
        listener.sampled(sample);
        decide(sample, held);
    }

    private void add(int slot, long run, long wait, long idle) {
        SlotTimes sum = times.get(slot);
        times.set(slot, new SlotTimes(sum.runNanos() + run, sum.waitNanos() + wait, sum.idleNanos() + idle));
    }

    /** What a thread did since it was read before; nothing at the first time. */
    private RunQueueTimes more(RunQueueReader reader, int tid) {
        RunQueueTimes now = reader.read(tid).orElse(null);
        RunQueueTimes before = now == null ? null : last.put(tid, now);
        return now == null || before == null
                ? NOTHING
                : new RunQueueTimes(now.runNanos() - before.runNanos(), now.waitNanos() - before.waitNanos());
    }

    /** Of several CPUs the busiest one counts: a free hardware thread beside a busy one is no free core. */
    private static long idleNanos(CpuSet cpus, CpuTimes before, CpuTimes now) {
        long least = Long.MAX_VALUE;
        for (int cpu = cpus.first(); cpu >= 0; cpu = cpus.next(cpu)) {
            long idle = (now.allTicks(cpu) - now.busyTicks(cpu)) - (before.allTicks(cpu) - before.busyTicks(cpu));
            least = Math.min(least, idle);
        }
        return least == Long.MAX_VALUE ? 0 : Math.max(0, least) * TICK_NANOS;
    }

    private void decide(EdgeSample now, boolean[] held) {
        SoftEdges before = edges;
        if (before == null) {
            edges = SoftEdges.start(settings, groups, now);
            return;
        }
        SoftEdges.Step step = before.step(now);
        counts = counts.plus(before, held, step);
        edges = step.next();
        for (EdgeChange change : step.changes()) {
            slots.change(change.slot(), change.open());
            listener.changed(change);
        }
    }

    /** Tries the slots that it can, and tells why. */
    private String openAll(Throwable reason) {
        for (int slot = 0; slot < groups.size(); slot++) {
            try {
                slots.change(slot, true);
            } catch (Throwable e) {
                // The JVM throws one and the same OutOfMemoryError again when nothing is left for a new one.
                if (e != reason) {
                    reason.addSuppressed(e);
                }
            }
        }
        return Reason.of(reason);
    }

    /** Waits until the thread has ended: no mask changes afterwards. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
