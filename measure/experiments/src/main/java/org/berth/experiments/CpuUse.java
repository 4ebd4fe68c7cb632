package org.berth.experiments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * CPU time since the machine's start, in the clock ticks of /proc. What others used between two readings is what was
 * used in all, less our own process and its children that ended between them. (The load average cannot tell: our own
 * runs of the last minute are in it.)
 *
 * @param total of all CPUs, idle or not; 0 when it cannot be read
 * @param used of it, by anyone: what a hypervisor gave to other guests counts too
 * @param own of it, by this process and by its children that it has waited for, with theirs
 */
record CpuUse(long total, long used, long own) {
    private static final CpuUse UNKNOWN = new CpuUse(0, 0, 0);

    static CpuUse now() {
        try {
            return parse(Files.readString(Path.of("/proc/stat")), Files.readString(Path.of("/proc/self/stat")));
        } catch (IOException unknown) {
            return UNKNOWN;
        }
    }

    /**
     * Fields of the two files as <a href="https://man7.org/linux/man-pages/man5/proc_stat.5.html">proc_stat(5)</a>
     * and proc_pid_stat(5) number them. Unknown when one is empty: a container may hide it so.
     */
    static CpuUse parse(String machine, String process) {
        if (machine.isEmpty() || process.isEmpty()) {
            return UNKNOWN;
        }
        // cpu user nice system idle iowait irq softirq steal; what follows is contained in user and nice
        long[] cpu = numbers(machine.substring("cpu ".length(), machine.indexOf('\n')));
        long total = Arrays.stream(cpu, 0, 8).sum();
        // The name may hold anything, so what is counted comes behind its last bracket: state is field 3.
        String[] fields = process.substring(process.lastIndexOf(')') + 2).split(" ");
        long own =
                Arrays.stream(fields, 14 - 3, 18 - 3).mapToLong(Long::parseLong).sum();
        return new CpuUse(total, total - cpu[3] - cpu[4], own);
    }

    private static long[] numbers(String text) {
        return Arrays.stream(text.trim().split(" +")).mapToLong(Long::parseLong).toArray();
    }

    /** The share of other processes, from 0 to 1; NaN when one of the readings failed or no time passed. */
    double othersShareSince(CpuUse earlier) {
        if (total == 0 || earlier.total == 0 || total <= earlier.total) {
            return Double.NaN;
        }
        long others = (used - earlier.used) - (own - earlier.own);
        return Math.max(0, Math.min(1, (double) others / (total - earlier.total)));
    }
}
