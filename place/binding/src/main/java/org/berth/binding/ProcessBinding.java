package org.berth.binding;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.binding.internal.ids.ProcessIdentity;
import org.berth.binding.records.BindingRecord;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;

/** All threads of one process bound to the same CPUs, or some to their own, and what their masks were before. */
final class ProcessBinding {
    private static final int MAX_PASSES = 1000;
    private static final int QUIET_PASSES = 3;
    private static final long BETWEEN_PASSES_NANOS = 1_000_000;

    /** State of processes by id and start time; an open scope keeps what is here. */
    private static final Map<String, WeakReference<ScopeLayers<ProcessBinding>>> SCOPES = new HashMap<>();

    private final long pid;
    private final CpuSet cpus;
    private final Map<Integer, CpuSet> single;
    private final ProcessIdentity process;
    /** Key: thread id and start time, because the kernel reuses ids. */
    private final Map<String, CpuSet> before = new LinkedHashMap<>();

    private ProcessBinding(ProcessIdentity process, CpuSet cpus, Map<Integer, CpuSet> single) {
        this.process = process;
        this.pid = process.pid();
        this.cpus = cpus;
        this.single = Map.copyOf(single);
    }

    /** Binds every thread; undoes all of it when one fails. */
    static ProcessBinding bind(long pid, CpuSet cpus) {
        return bind(ProcessIdentity.of(pid, cpus), cpus, Map.of());
    }

    /** Scopes of one process may be closed in any order. */
    static BoundScope scope(long pid, CpuSet cpus) {
        ProcessBinding binding = bind(pid, cpus);
        return layers(pid + ":" + binding.process.startTime())
                .scope(binding, ProcessBinding::restore, (below, own) -> own.above(below));
    }

    private static ScopeLayers<ProcessBinding> layers(String process) {
        synchronized (SCOPES) {
            SCOPES.values().removeIf(layers -> layers.get() == null);
            WeakReference<ScopeLayers<ProcessBinding>> found = SCOPES.get(process);
            ScopeLayers<ProcessBinding> layers = found == null ? null : found.get();
            if (layers == null) {
                layers = new ScopeLayers<>();
                SCOPES.put(process, new WeakReference<>(layers));
            }
            return layers;
        }
    }

    /** This binding when the one below it has been given up: what its threads had before both. */
    private ProcessBinding above(ProcessBinding below) {
        // A thread that was started between the two has the mask of the other one, and gets the leader's.
        before.entrySet()
                .removeIf(old -> !below.before.containsKey(old.getKey())
                        && old.getValue().equals(below.cpus));
        before.replaceAll((thread, old) -> below.before.getOrDefault(thread, old));
        return this;
    }

    /** Binds the threads that are named each to its own CPUs, all others to the first set. */
    static ProcessBinding bind(ProcessIdentity process, CpuSet cpus, Map<Integer, CpuSet> single) {
        ProcessBinding binding = new ProcessBinding(process, cpus, single);
        try {
            process.require("bind", cpus);
            binding.bindThreads(true);
            binding.untilQuiet("bind", () -> binding.bindThreads(false));
        } catch (BindingException e) {
            try {
                binding.restore();
            } catch (BindingException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
        if (binding.before.isEmpty()) {
            throw ProcessIdentity.noSuchProcess(process.pid(), cpus);
        }
        return binding;
    }

    /** Binds the threads that have another mask; false when there was none. */
    private boolean bindThreads(boolean first) {
        boolean bound = false;
        for (int tid : threads(pid, cpus)) {
            String start = ProcessIdentity.startTimeOrEmpty(task(pid, tid));
            String key = BindingRecord.key(tid, start);
            // Without a start it has ended since it was listed, and its id may belong to any process.
            if (!start.isEmpty() && !before.containsKey(key)) {
                bound |= bindThread(tid, key, first);
            }
        }
        return bound;
    }

    private boolean bindThread(int tid, String key, boolean first) {
        try {
            CpuSet old = ThreadMasks.get(tid);
            if (!key.equals(key(pid, tid))) { // the mask may be that of another thread, which has its id now
                return false;
            }
            CpuSet wanted = single.getOrDefault(tid, cpus);
            boolean inherited = !first && (old.equals(cpus) || single.containsValue(old));
            if (inherited && old.equals(wanted)) {
                return false;
            }
            if (!inherited) { // what it has from a bound thread is not its own
                // Recorded first: when setting works but reading back does not, the old mask must still come back.
                before.put(key, old);
            }
            ThreadMasks.setVerified(tid, wanted);
            if (!key.equals(key(pid, tid))) { // it has ended; another thread may have its id
                before.remove(key);
            }
            return true;
        } catch (BindingException e) {
            // It has ended, and what was read back may be the mask of another thread, which has its id now.
            if (e.errno() == Errno.ESRCH || !key.equals(key(pid, tid))) {
                before.remove(key);
                return false;
            }
            throw e;
        }
    }

    /** The masks that the threads had, by {@link #key}, of all that were there or had one of their own. */
    Map<String, CpuSet> before() {
        return Map.copyOf(before);
    }

    /**
     * Restores the old masks of the threads that still live; those started meanwhile get the leader's. Also to threads
     * of another process that got the PID while this one was bound. */
    void restore() {
        if (ProcessIdentity.startTimeOrEmpty(Path.of("/proc/" + pid)).isEmpty()) {
            return;
        }
        for (int tid : threads(pid, cpus)) {
            CpuSet old = before.get(key(pid, tid));
            if (old != null) {
                unlessEnded(() -> ThreadMasks.set(tid, old));
            }
        }
        CpuSet leader = before.get(key(pid, (int) pid));
        // A thread that was started while its parent was still bound has our mask as well.
        if (leader != null && process.lives()) {
            untilQuiet("restore", () -> restoreOthers(leader));
        }
    }

    private boolean restoreOthers(CpuSet leader) {
        AtomicBoolean restored = new AtomicBoolean();
        for (int tid : threads(pid, cpus)) {
            if (!before.containsKey(key(pid, tid))) {
                unlessEnded(() -> {
                    CpuSet now = ThreadMasks.get(tid);
                    if (!leader.equals(now) && (now.equals(cpus) || single.containsValue(now))) {
                        ThreadMasks.set(tid, leader);
                        restored.set(true);
                    }
                });
            }
        }
        return restored.get();
    }

    private static void unlessEnded(Runnable work) {
        try {
            work.run();
        } catch (BindingException e) {
            if (e.errno() != Errno.ESRCH) {
                throw e;
            }
        }
    }

    /**
     * Repeats a pass over the threads until there is nothing left to do: a thread that starts then is started by one
     * that
     * has been treated, and inherits its mask. But the kernel copies the mask early in clone(2) and lists the thread
     * late,
     * so a thread whose parent was treated in between turns up afterwards with the former mask (seen in about one of
     * ten rounds with a process that starts threads all the time). Hence a few quiet passes with time between them.
     */
    private void untilQuiet(String operation, BooleanSupplier pass) {
        int quiet = 0;
        for (int passes = 0; quiet < QUIET_PASSES; passes++) {
            quiet = pass.getAsBoolean() ? 0 : quiet + 1;
            process.require(operation, cpus);
            if (passes > MAX_PASSES) {
                throw BindingException.of(
                        FailureKind.BUSY,
                        operation,
                        "process " + pid,
                        "CPUs " + cpus,
                        "threads with another mask kept appearing, " + MAX_PASSES + " times over",
                        "does something else bind the threads of this process?");
            }
            LockSupport.parkNanos(BETWEEN_PASSES_NANOS);
        }
    }

    static List<Integer> threads(long pid, CpuSet cpus) {
        List<Integer> tids = new ArrayList<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            tasks.forEach(task -> tids.add(Integer.valueOf(task.getFileName().toString())));
        } catch (NoSuchFileException e) {
            throw ProcessIdentity.noSuchProcess(pid, cpus);
        } catch (IOException | java.nio.file.DirectoryIteratorException e) {
            throw BindingException.of(
                    FailureKind.FAILED,
                    "list",
                    "the threads of process " + pid,
                    String.valueOf(e.getMessage()),
                    "is /proc mounted?",
                    e);
        }
        return tids;
    }

    /** Identifies one thread of a process, also when the kernel reuses its id. */
    static String key(long pid, int tid) {
        return BindingRecord.key(tid, ProcessIdentity.startTimeOrEmpty(task(pid, tid)));
    }

    private static Path task(long pid, int tid) {
        return Path.of("/proc/" + pid + "/task/" + tid);
    }
}
