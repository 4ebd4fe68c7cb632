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
import org.berth.topology.CpuSet;

/** All threads of one process bound to the same CPUs, and what their masks were before. */
final class ProcessBinding {
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
            // A thread that appears after a pass without new ones was started by a bound thread and inherits its mask.
            while (binding.bindNewThreads()) {}
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

    private boolean bindNewThreads() {
        boolean found = false;
        for (int tid : threads(pid, cpus)) {
            if (!before.containsKey(tid)) {
                found |= bindThread(tid);
            }
        }
        return found;
    }

    private boolean bindThread(int tid) {
        try {
            CpuSet old = ThreadMasks.get(tid);
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
        CpuSet leader = before.get((int) pid);
        for (int tid : threads(pid, cpus)) {
            try {
                CpuSet old = before.get(tid);
                if (old != null) {
                    ThreadMasks.set(tid, old);
                } else if (leader != null && ThreadMasks.get(tid).equals(cpus)) {
                    ThreadMasks.set(tid, leader);
                }
            } catch (BindingException e) {
                if (e.errno() != Errno.ESRCH) {
                    throw e;
                }
            }
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
