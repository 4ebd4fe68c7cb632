package org.berth.observation.internal.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.berth.observation.ObservationException;
import org.berth.observation.ProcessStatus;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.ProcText;
import org.berth.observation.memory.PageSize;

/**
 * A process as the kernel's own placement sees it. Immutable.
 *
 * @param threads its threads
 * @param residentBytes its memory in RAM
 * @param sampledBytes memory at which NUMA balancing saw its threads recently: their {@code total_numa_faults}, which
 *     fade with time, in pages; the footprint that cache-aware scheduling compares with a cache is kept from the same
 *     counts
 * @param numaPagesMigrated pages that NUMA balancing moved for its living threads
 * @param extThreads threads that a sched_ext scheduler schedules; absent when the kernel does not tell
 * @param busyThreads mean number of its threads that ran at the same time; empty when it was not watched
 * @since 0.1.0
 */
public record ProcessScheduling(
        int threads,
        long residentBytes,
        Reading<Long> sampledBytes,
        long numaPagesMigrated,
        Reading<Integer> extThreads,
        OptionalDouble busyThreads) {
    /**
     * Reads {@code /proc/PID}; threads that end meanwhile do not count.
     *
     * @param root the folder with {@code proc} in it
     * @throws ObservationException when the process has ended or may not be inspected
     */
    public static ProcessScheduling of(long pid, Path root) {
        SystemFiles files = new SystemFiles(root);
        String process = "proc/" + pid + "/";
        long faults = 0;
        long migrated = 0;
        int ext = 0;
        int threads = 0;
        boolean sampled = false;
        Reading<String> told = Reading.absent("the process has no thread");
        for (int tid : files.numbered(process + "task", "").orElse(List.of())) {
            Reading<String> read = files.read(process + "task/" + tid + "/sched");
            told = read.value().isPresent() || told.value().isEmpty() ? read : told;
            String sched = read.orElse("");
            OptionalLong seen = KernelText.number(sched, "total_numa_faults");
            sampled |= seen.isPresent();
            faults += seen.orElse(0);
            migrated += KernelText.number(sched, "numa_pages_migrated").orElse(0);
            ext += KernelText.number(sched, "ext.enabled").orElse(0) == 1 ? 1 : 0;
            threads++;
        }
        int extThreads = ext;
        long sampledPages = faults;
        Reading<Long> sampledBytes = sampled
                ? PageSize.of(root.resolve(process)).map(page -> sampledPages * page)
                : told.flatMap(text -> Reading.absent("the kernel counts no NUMA faults of it (total_numa_faults)"));
        return new ProcessScheduling(
                threads,
                residentBytes(root.resolve(process)),
                sampledBytes,
                migrated,
                told.map(text -> extThreads),
                OptionalDouble.empty());
    }

    /**
     * CPU time of all threads of a process so far, those that have ended included.
     *
     * @param root the folder with {@code proc} in it
     * @throws ObservationException when the process has ended or may not be inspected */
    public static long cpuNanos(long pid, Path root) {
        Path file = root.resolve("proc/" + pid + "/stat");
        try {
            byte[] text = Files.readAllBytes(file);
            return ProcText.stat(text, text.length)
                    .map(ProcText.Stat::cpuTimeNanos)
                    .orElseThrow(() -> new ObservationException("cannot read " + file + ": it has other fields"));
        } catch (IOException e) {
            throw new ObservationException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** The same after sampling its CPU time. */
    public ProcessScheduling withBusyThreads(double mean) {
        return new ProcessScheduling(
                threads, residentBytes, sampledBytes, numaPagesMigrated, extThreads, OptionalDouble.of(mean));
    }

    private static long residentBytes(Path process) {
        try {
            return ProcessStatus.of(process).residentBytes();
        } catch (IOException e) {
            throw new ObservationException("cannot read " + process + "/status: " + e.getMessage(), e);
        }
    }
}
