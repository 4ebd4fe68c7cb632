package org.berth.observation.internal.load;

import java.util.Arrays;
import org.berth.topology.CpuSet;

/**
 * How long each CPU was busy since boot, from {@code /proc/stat}: user, nice, system, irq, softirq and steal; idle and
 * iowait are not busy. In units of USER_HZ (10 ms), which is also the finest difference that can be seen. Immutable.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_stat.5.html">proc_stat(5)</a>
 * @since 0.1.0
 */
public final class CpuTimes {
    private static final int NICE = 1;
    private static final int IDLE = 3;
    private static final int WAITING = 4;
    /** guest and guest_nice, which follow, are part of user and nice already. */
    private static final int STEAL = 7;

    private static final int[] NOTHING = {};

    private final int[] cpus;
    private final long[] busyTicks;
    private final long[] allTicks;
    private final long[] niceTicks;

    private CpuTimes(int[] cpus, long[] busyTicks, long[] allTicks, long[] niceTicks) {
        this.cpus = cpus;
        this.busyTicks = busyTicks;
        this.allTicks = allTicks;
        this.niceTicks = niceTicks;
    }

    /** From a text of /proc/stat; lines of other kinds are skipped, a CPU that is switched off has none. */
    public static CpuTimes parse(byte[] text, int length) {
        int[] cpus = NOTHING;
        long[] busy = new long[0];
        long[] all = new long[0];
        long[] nice = new long[0];
        int count = 0;
        int at = 0;
        while (at + 3 < length && text[at] == 'c' && text[at + 1] == 'p' && text[at + 2] == 'u') {
            int end = at;
            while (end < length && text[end] != '\n') {
                end++;
            }
            if (isDigit(text[at + 3])) {
                if (count == cpus.length) {
                    int room = Math.max(16, count * 2);
                    cpus = Arrays.copyOf(cpus, room);
                    busy = Arrays.copyOf(busy, room);
                    all = Arrays.copyOf(all, room);
                    nice = Arrays.copyOf(nice, room);
                }
                parseLine(text, at + 3, end, count, cpus, busy, all, nice);
                count++;
            }
            at = end + 1;
        }
        return new CpuTimes(
                Arrays.copyOf(cpus, count),
                Arrays.copyOf(busy, count),
                Arrays.copyOf(all, count),
                Arrays.copyOf(nice, count));
    }

    private static void parseLine(
            byte[] text, int from, int end, int index, int[] cpus, long[] busy, long[] all, long[] nice) {
        int field = -1;
        int at = from;
        while (at < end && field <= STEAL) {
            long value = 0;
            while (at < end && isDigit(text[at])) {
                value = value * 10 + (text[at++] - '0');
            }
            if (field < 0) {
                cpus[index] = (int) value;
            } else {
                all[index] += value;
                busy[index] += field == IDLE || field == WAITING ? 0 : value;
                nice[index] += field == NICE ? value : 0;
            }
            field++;
            at++;
        }
    }

    private static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }

    /** The CPUs that are online, by osIndex. */
    public CpuSet cpus() {
        return CpuSet.of(cpus);
    }

    /**
     * The share of time since an earlier sample that a CPU was busy.
     *
     * @return 0 to 1; NaN when the kernel counted no time between, or the CPU was not online at one of the two
     */
    public double busyShareSince(CpuTimes earlier, int cpu) {
        int now = Arrays.binarySearch(cpus, cpu);
        int then = Arrays.binarySearch(earlier.cpus, cpu);
        if (now < 0 || then < 0) {
            return Double.NaN;
        }
        // iowait may run backwards (proc_stat(5)), and with it the sum.
        long all = allTicks[now] - earlier.allTicks[then];
        long busy = busyTicks[now] - earlier.busyTicks[then];
        return all <= 0 ? Double.NaN : Math.min(1, Math.max(0, (double) busy / all));
    }

    /**
     * How many ticks some CPUs were idle since an earlier sample; a CPU that was not online at one of the two is left out.
     *
     * @param nice whether a CPU that runs work of a lower priority counts as idle
     */
    public long freeTicksSince(CpuTimes earlier, CpuSet some, boolean nice) {
        long free = 0;
        for (int now = 0; now < cpus.length; now++) {
            int then = Arrays.binarySearch(earlier.cpus, cpus[now]);
            if (then >= 0 && some.contains(cpus[now])) {
                long idle = allTicks[now] - earlier.allTicks[then] - (busyTicks[now] - earlier.busyTicks[then]);
                free += Math.max(0, idle) + (nice ? Math.max(0, niceTicks[now] - earlier.niceTicks[then]) : 0);
            }
        }
        return free;
    }
}
