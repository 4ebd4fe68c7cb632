package org.berth.binding;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.berth.topology.CpuSet;

/** All threads of one process bound to the same CPUs, and what their masks were before. */
final class ProcessBinding {
    private static final int MAX_PASSES = 1000;
    private static final int QUIET_PASSES = 3;
    private static final long BETWEEN_PASSES_NANOS = 1_000_000;

    private final long pid;
    private final CpuSet cpus;
    private final String startTime;
    private final Map<Integer, CpuSet> before = new LinkedHashMap<>();

    private ProcessBinding(long pid, CpuSet cpus, String startTime) {
        this.pid = pid;
        this.cpus = cpus;
        this.startTime = startTime;
    }

    /** Binds every thread; undoes all of it when one fails. */
    static ProcessBinding bind(long pid, CpuSet cpus) {
        String startTime = startTimeOrEmpty(pid);
        if (startTime.isEmpty()) {
            throw noSuchProcess(pid, cpus);
        }
        ProcessBinding binding = new ProcessBinding(pid, cpus, startTime);
        try {
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
            throw noSuchProcess(pid, cpus);
        }
        return binding;
    }

    /** Binds the threads that have another mask; false when there was none. */
    private boolean bindThreads(boolean first) {
        boolean bound = false;
        for (int tid : threads(pid, cpus)) {
            if (!before.containsKey(tid)) {
                bound |= bindThread(tid, first);
            }
        }
        return bound;
    }

    private boolean bindThread(int tid, boolean first) {
        try {
            CpuSet old = ThreadMasks.get(tid);
            if (!first && old.equals(cpus)) {
                return false; // inherited from a bound thread, so not to be recorded as its own
            }
            // Recorded first: when setting works but reading back does not, the old mask must still come back.
            before.put(tid, old);
            ThreadMasks.setVerified(tid, cpus);
            return true;
        } catch (BindingException e) {
            if (e.errno() == Errno.ESRCH) {
                before.remove(tid);
                return false;
            }
            throw e;
        }
    }

    /** Gives the old masks back to the threads that still live; those started meanwhile get the leader's. */
    void restore() {
        if (!startTime.equals(startTimeOrEmpty(pid))) {
            return;
        }
        List<Integer> living = threads(pid, cpus);
        for (int tid : living) {
            CpuSet old = before.get(tid);
            if (old != null) {
                unlessEnded(() -> ThreadMasks.set(tid, old));
            }
        }
        CpuSet leader = before.get((int) pid);
        // A thread that was started while its parent was still bound has our mask as well.
        if (leader != null) {
            untilQuiet("restore", () -> restoreOthers(leader));
        }
    }

    private boolean restoreOthers(CpuSet leader) {
        AtomicBoolean restored = new AtomicBoolean();
        for (int tid : threads(pid, cpus)) {
            if (!before.containsKey(tid)) {
                unlessEnded(() -> {
                    if (!leader.equals(cpus) && ThreadMasks.get(tid).equals(cpus)) {
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
     * Repeats a pass over the threads until there is nothing left to do: whoever starts then is started by a thread that
     * has been treated and inherits its mask. But the kernel copies the mask early in clone(2) and lists the thread late,
     * so a thread whose parent was treated in between turns up afterwards with the former mask (seen in about one of ten
     * rounds with a process that starts threads all the time). Hence a few quiet passes with time between them.
     */
    private void untilQuiet(String operation, BooleanSupplier pass) {
        int quiet = 0;
        for (int passes = 0; quiet < QUIET_PASSES; passes++) {
            quiet = pass.getAsBoolean() ? 0 : quiet + 1;
            if (passes > MAX_PASSES) {
                throw BindingException.of(
                        operation,
                        "process " + pid,
                        "CPUs " + cpus,
                        "threads with another mask kept appearing, " + MAX_PASSES + " times over",
                        "does something else bind the threads of this process?");
            }
            LockSupport.parkNanos(BETWEEN_PASSES_NANOS);
        }
    }

    private static List<Integer> threads(long pid, CpuSet cpus) {
        List<Integer> tids = new ArrayList<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            tasks.forEach(task -> tids.add(Integer.valueOf(task.getFileName().toString())));
        } catch (NoSuchFileException e) {
            throw noSuchProcess(pid, cpus);
        } catch (IOException | java.nio.file.DirectoryIteratorException e) {
            throw BindingException.of(
                    "list", "the threads of process " + pid, String.valueOf(e.getMessage()), "is /proc mounted?", e);
        }
        return tids;
    }

    /** Field 22 of /proc/PID/stat; with the pid it names one process for ever, because pids come back. */
    private static String startTimeOrEmpty(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19];
        } catch (IOException e) {
            return "";
        }
    }

    private static BindingException noSuchProcess(long pid, CpuSet cpus) {
        return BindingException.ofErrno(
                "bind", "process " + pid, "CPUs " + cpus, Errno.ESRCH, "ps -e lists the processes that live");
    }
}
