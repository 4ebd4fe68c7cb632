package org.berth.experiments.trial;

import java.util.Arrays;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.SystemFiles;

/**
 * CPU time since the machine's start, in the clock ticks of /proc. What others used between two readings is what was
 * used in all, less our own process and its children that ended between them. (The load average cannot tell: our own
 * runs of the last minute are in it.)
 *
 * @param total of all CPUs, idle or not
 * @param used of it, by anyone: what a hypervisor gave to other guests counts too
 * @param own of it, by this process and by its children that it has waited for, with theirs
 */
record CpuUse(long total, long used, long own) {
    static Reading<CpuUse> now() {
        SystemFiles files = SystemFiles.LIVE;
        return files.read("proc/stat")
                .flatMap(machine -> files.read("proc/self/stat").flatMap(process -> parse(machine, process)));
    }

    /**
     * Fields of the two files as <a href="https://man7.org/linux/man-pages/man5/proc_stat.5.html">proc_stat(5)</a>
     * and proc_pid_stat(5) number them. Refused when one is empty: a container may hide it so.
     */
    static Reading<CpuUse> parse(String machine, String process) {
        if (machine.isEmpty() || process.isEmpty()) {
            String file = machine.isEmpty() ? "/proc/stat" : "/proc/self/stat";
            return Reading.refused(new Refusal(file + " is empty", "run outside the container"));
        }
        // cpu user nice system idle iowait irq softirq steal; what follows is contained in user and nice
        long[] cpu = numbers(machine.substring("cpu ".length(), machine.indexOf('\n')));
        long total = Arrays.stream(cpu, 0, 8).sum();
        // The name may hold anything, so what is counted comes behind its last bracket: state is field 3.
        String[] fields = process.substring(process.lastIndexOf(')') + 2).split(" ");
        long own =
                Arrays.stream(fields, 14 - 3, 18 - 3).mapToLong(Long::parseLong).sum();
        return Reading.of(new CpuUse(total, total - cpu[3] - cpu[4], own));
    }

    private static long[] numbers(String text) {
        return Arrays.stream(text.trim().split(" +")).mapToLong(Long::parseLong).toArray();
    }

    /** The share of other processes, from 0 to 1; NaN when no time passed. */
    double othersShareSince(CpuUse earlier) {
        if (total <= earlier.total) {
            return Double.NaN;
        }
        long others = (used - earlier.used) - (own - earlier.own);
        return Math.max(0, Math.min(1, (double) others / (total - earlier.total)));
    }
}
