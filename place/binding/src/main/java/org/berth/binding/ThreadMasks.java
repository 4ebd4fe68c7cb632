package org.berth.binding;

import java.util.Arrays;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.binding.internal.NativeBridge;
import org.berth.observation.SystemFiles;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;

/** CPU masks of threads, with errors in words. A tid of 0 is the calling thread. */
final class ThreadMasks {
    /** 1024 CPUs; the kernel may be built for more. */
    private static final int FIRST_WORDS = 16;

    private static final int MOST_WORDS = 1024;

    private ThreadMasks() {}

    static CpuSet get(int tid) {
        for (int size = FIRST_WORDS; ; size *= 2) {
            long[] words = new long[size];
            int used = NativeBridge.getThreadCpus(tid, words);
            if (used >= 0) {
                return CpuSet.ofLongs(Arrays.copyOf(words, used));
            }
            if (used != -Errno.EINVAL || size >= MOST_WORDS) {
                throw BindingException.ofErrno("read", "the CPU mask of " + name(tid), "", -used, hint(tid, -used));
            }
        }
    }

    static void set(int tid, CpuSet cpus) {
        long[] words = cpus.toLongs();
        int result =
                words.length == 1 ? NativeBridge.setThreadCpus(tid, words[0]) : NativeBridge.setThreadCpus(tid, words);
        if (result < 0) {
            throw BindingException.ofErrno("bind", name(tid), "CPUs " + cpus, -result, hint(tid, -result));
        }
    }

    /** Sets and asks the kernel what it made of it: a cpuset may have been narrowed since we looked. */
    static void setVerified(int tid, CpuSet cpus) {
        set(tid, cpus);
        CpuSet now = get(tid);
        if (!now.equals(cpus)) {
            throw BindingException.of(
                    FailureKind.REFUSED_BY_KERNEL,
                    "bind",
                    name(tid),
                    "CPUs " + cpus,
                    "the kernel made it CPUs " + now,
                    "the cpuset of the process has changed: open LocalMachine again");
        }
    }

    /** Every CPU that this machine can ever have. */
    static CpuSet possible() {
        String file = "sys/devices/system/cpu/possible";
        return SystemFiles.LIVE
                .cpuList(file)
                .orElseThrow(reason -> BindingException.of(
                        FailureKind.UNAVAILABLE, "read", "/" + file, "", reason, "is /sys mounted?"));
    }

    static String name(int tid) {
        return tid == 0 ? "the calling thread" : "thread " + tid;
    }

    static String hint(int tid, int errno) {
        return switch (errno) {
            case Errno.ESRCH -> "it has ended: ps -eLf lists the threads that live";
            case Errno.EPERM ->
                tid == 0
                        ? "a seccomp filter forbids it: allow sched_setaffinity"
                        : "only root (CAP_SYS_NICE) may bind what belongs to another user";
            case Errno.EINVAL ->
                "none of these CPUs is in its cpuset now: see Cpus_allowed_list in /proc/" + (tid == 0 ? "self" : tid)
                        + "/status";
            default -> "";
        };
    }
}
