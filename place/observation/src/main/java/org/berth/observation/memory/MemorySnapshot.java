package org.berth.observation.memory;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.ObservationException;
import org.berth.observation.Refusal;
import org.berth.observation.internal.process.LivingThread;

/**
 * On which NUMA nodes the memory of a process lies, from {@code /proc/<pid>/numa_maps}. Pages in memory are counted,
 * never the column of the policy: that one shows what was asked for, and for memory placed before the JVM started not
 * even that.
 *
 * <p>The kernel walks all page tables of the process for this: a few milliseconds per GB of small pages, during which
 * {@code mmap} of that process waits. That is acceptable now and then, but not ten times a second.
 *
 * <p>JDK 17 and 21 map the heap of ZGC three times. Its pages count once: where several views have some, {@code smaps} is read as
 * well.
 *
 * @param bytesByNode bytes in memory by osIndex of the node; nodes without any are left out
 * @param ownBytesByNode the part that is memory of the process and not of files: their pages, such as those of its libraries, are
 *     where the first process that read them had them placed
 * @see <a href="https://docs.kernel.org/filesystems/proc.html">The /proc Filesystem, numa_maps</a>
 * @since 0.1.0
 */
public record MemorySnapshot(SortedMap<Integer, Long> bytesByNode, SortedMap<Integer, Long> ownBytesByNode) {
    public MemorySnapshot {
        bytesByNode = Collections.unmodifiableSortedMap(new TreeMap<>(bytesByNode));
        ownBytesByNode = Collections.unmodifiableSortedMap(new TreeMap<>(ownBytesByNode));
    }

    /**
     * The memory of a process of this machine now.
     *
     * @throws NoSuchProcessException when there is none
     * @throws ObservationException when the kernel has no numa_maps, or it may not be read
     */
    public static MemorySnapshot of(long pid) {
        return of(pid, Path.of("/proc"));
    }

    /**
     * Does the same as {@link #of(long)} with another directory instead of /proc.
     *
     * @throws NoSuchProcessException when there is none
     * @throws ObservationException when the kernel has no numa_maps, or it may not be read
     */
    public static MemorySnapshot of(long pid, Path procRoot) {
        Path process = procRoot.resolve(Long.toString(pid));
        Path file = process.resolve("numa_maps");
        if (NoSuchProcessException.isAbsent(process)) {
            throw NoSuchProcessException.absent(pid, process);
        }
        Path living = LivingThread.of(pid, process);
        try (BufferedReader lines = Smaps.reader(living.resolve("numa_maps"))) {
            return parse(lines, () -> Smaps.of(living));
        } catch (IOException e) {
            throw explain(pid, process, file, e);
        }
    }

    private static ObservationException explain(long pid, Path process, Path file, IOException cause) {
        if (NoSuchProcessException.isAbsent(process)) {
            return new NoSuchProcessException(pid, "it ended while its memory was read");
        }
        boolean kernelHasIt =
                process.resolveSibling("self").resolve("numa_maps").toFile().exists();
        String reason = kernelHasIt
                ? Refusal.of(file, process).toString()
                : "this kernel has no " + file + " (built without NUMA)";
        return new ObservationException("cannot see the memory of process " + pid + ": " + reason, cause);
    }

    /** Bytes on all nodes together. */
    public long totalBytes() {
        return bytesByNode.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What is read only when it is needed. */
    interface MappingSource {
        List<Smaps.Mapping> read() throws IOException;
    }

    static MemorySnapshot parse(BufferedReader lines, MappingSource smaps) throws IOException {
        List<NumaMapsLine> all = new ArrayList<>();
        Set<Long> heapViews = new HashSet<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            NumaMapsLine one = NumaMapsLine.parse(line);
            all.add(one);
            if (one.zgcHeap() && !one.bytesByNode().isEmpty()) {
                // The views start at 4, 8 and 16 TiB (zGlobals_x86.cpp).
                heapViews.add(Long.highestOneBit(one.start()));
            }
        }
        double heapShare = heapViews.size() < 2 ? 1 : Smaps.shareOfViews(smaps.read(), all);
        SortedMap<Integer, Long> bytes = new TreeMap<>();
        all.stream()
                .filter(NumaMapsLine::zgcHeap)
                .forEach(view -> view.bytesByNode().forEach((node, count) -> bytes.merge(node, count, Long::sum)));
        bytes.replaceAll((node, count) -> Math.round(count * heapShare));
        SortedMap<Integer, Long> own = new TreeMap<>(bytes);
        all.stream()
                .filter(line -> !line.zgcHeap())
                .forEach(line -> line.bytesByNode().forEach((node, count) -> {
                    bytes.merge(node, count, Long::sum);
                    own.merge(node, Math.round(count * line.own()), Long::sum);
                }));
        return new MemorySnapshot(bytes, own);
    }
}
