package org.berth.examples;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * CPU time of this process and, if the job runs on YARN, of the cluster with all its containers.
 *
 * @param cluster the process that started the cluster
 */
record CpuTime(Optional<ProcessHandle> cluster) {
    /** The unit of /proc/PID/stat (proc(5)), the same on all processors that Linux has for Java. */
    private static final long NANOS_PER_TICK = TimeUnit.MILLISECONDS.toNanos(10);
    /** Fields 14 to 17 of /proc/PID/stat, counted from the third: user and system time, and those of children that ended. */
    private static final int FIRST_TIME = 11;

    private static final int TIMES = 4;

    static CpuTime of(Configuration conf) {
        long pid = conf.getLong(ClusterHost.PID, 0);
        return new CpuTime(pid == 0 ? Optional.empty() : ProcessHandle.of(pid));
    }

    long nanos() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime()
                + cluster.stream()
                                .flatMap(host -> Stream.concat(Stream.of(host), host.descendants()))
                                .mapToLong(CpuTime::ticks)
                                .sum()
                        * NANOS_PER_TICK;
    }

    private static long ticks(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            for (int i = FIRST_TIME; i < FIRST_TIME + TIMES; i++) {
                ticks += Long.parseLong(fields[i]);
            }
            return ticks;
        } catch (IOException ended) {
            // Its time has gone to its parent.
            return 0;
        }
    }
}
