package org.berth.binding.internal.ids;

import java.nio.file.Path;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.observation.internal.ProcessStat;
import org.berth.topology.CpuSet;

/**
 * A process by PID and start time, because the kernel reuses PIDs. The kernel's calls for masks and pages take a number
 * alone, also where it has pidfds, so the start time is compared before and after them.
 *
 * @param startTime field 22 of {@code /proc/PID/stat}, in clock ticks after boot
 */
public record ProcessIdentity(int pid, String startTime) {
    /**
     * The process that has this PID now; BindingException (ESRCH) when there is none, (EPERM) when the kernel hides it.
     */
    public static ProcessIdentity of(long pid, CpuSet wanted) {
        Path process = Path.of("/proc/" + pid);
        String startTime = startTimeOrEmpty(process);
        if (startTime.isEmpty() && process.toFile().isDirectory()) {
            // Not by Files, which does not see a folder that is closed.
            throw BindingException.ofErrno(
                    "examine",
                    "process " + pid,
                    "",
                    Errno.EPERM,
                    "/proc shows a process only to its own user here (hidepid): run it as that user or as root");
        }
        if (pid <= 0 || pid > Integer.MAX_VALUE || startTime.isEmpty()) {
            throw noSuchProcess(pid, wanted);
        }
        return new ProcessIdentity((int) pid, startTime);
    }

    /** PF_KTHREAD (linux/sched.h) in field 9 of {@code /proc/PID/stat}. */
    public boolean isOfKernel() {
        String flags = ProcessStat.field(Path.of("/proc/" + pid), ProcessStat.FLAGS);
        return !flags.isEmpty() && (Long.parseLong(flags) & 0x0020_0000) != 0;
    }

    public boolean lives() {
        return startTime.equals(startTimeOrEmpty(Path.of("/proc/" + pid)));
    }

    /** BindingException (ESRCH) when it has ended; names the operation when another process has its PID. */
    public void require(String operation) {
        require(operation, CpuSet.empty());
    }

    public void require(String operation, CpuSet wanted) {
        String now = startTimeOrEmpty(Path.of("/proc/" + pid));
        if (now.isEmpty()) {
            throw noSuchProcess(pid, wanted);
        }
        if (!now.equals(startTime)) {
            throw BindingException.ofReason(
                    operation, "process " + pid, Errno.ESRCH, "it has ended, and another process has its PID now");
        }
    }

    /**
     * Returns the identity of a process or thread whose folder is /proc/PID or /proc/PID/task/TID; empty when it has
     * ended.
     */
    public static String startTimeOrEmpty(Path proc) {
        return ProcessStat.field(proc, ProcessStat.START_TIME);
    }

    /** No CPUs: it was only inspected. */
    public static BindingException noSuchProcess(long pid, CpuSet cpus) {
        boolean looked = cpus.isEmpty();
        return BindingException.ofErrno(
                looked ? "find" : "bind",
                "process " + pid,
                looked ? "" : "CPUs " + cpus,
                Errno.ESRCH,
                "ps -e lists the processes that live");
    }
}
