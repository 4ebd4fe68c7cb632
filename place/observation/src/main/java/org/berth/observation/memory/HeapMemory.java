package org.berth.observation.memory;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.ObservationException;
import org.berth.observation.Refusal;
import org.berth.observation.internal.process.LivingThread;

/**
 * The heap of a HotSpot JVM as the kernel has it: its bytes in memory by node, and the part of them that lies in huge
 * pages. It says what the JVM got, and not what its flags asked for. Immutable.
 *
 * <p>The kernel counts huge pages for each mapping and not for each node. Where a mapping has pages on several nodes,
 * its huge pages are divided in proportion to its bytes on them.
 *
 * @param bytesByNode bytes in memory by osIndex of the node
 * @param hugeBytesByNode the part of them in transparent or explicit huge pages
 * @see <a href="https://docs.kernel.org/filesystems/proc.html">The /proc Filesystem, smaps and numa_maps</a>
 * @since 0.1.0
 */
public record HeapMemory(SortedMap<Integer, Long> bytesByNode, SortedMap<Integer, Long> hugeBytesByNode) {
    /**
     * The addresses of a part of the heap in the answer of {@code jcmd PID GC.heap_info}: "[0xe0000000, 0xe7e00000,
     * 0xeaaa0000)".
     */
    private static final Pattern RANGE =
            Pattern.compile("\\[0x([0-9a-f]{1,16}),(?: 0x[0-9a-f]+,)* 0x([0-9a-f]{1,16})\\)");

    private static final HeapRange NO_RANGE = new HeapRange(Long.MAX_VALUE, 0);

    public HeapMemory {
        bytesByNode = Collections.unmodifiableSortedMap(new TreeMap<>(bytesByNode));
        hugeBytesByNode = Collections.unmodifiableSortedMap(new TreeMap<>(hugeBytesByNode));
    }

    /**
     * The heap of a JVM of this machine now. The kernel walks the page tables of the process for it: some milliseconds
     * per GB of small pages.
     *
     * @param heapInfo the answer of the JVM to {@code GC.heap_info}
     * @return empty when the heap is not found, as with collectors that tell no addresses
     * @throws ObservationException when the process has ended, or its memory may not be seen
     */
    public static Optional<HeapMemory> of(long pid, String heapInfo) {
        return of(LivingThread.of(pid, Path.of("/proc", Long.toString(pid))), heapInfo);
    }

    static Optional<HeapMemory> of(Path process, String heapInfo) {
        long start = Long.MAX_VALUE;
        long end = 0;
        Matcher range = RANGE.matcher(heapInfo);
        while (range.find()) {
            start = Math.min(start, Long.parseUnsignedLong(range.group(1), 16));
            end = Math.max(end, Long.parseUnsignedLong(range.group(2), 16));
        }
        try {
            return join(heap(Smaps.of(process), start, end), process.resolve("numa_maps"));
        } catch (IOException e) {
            throw unseen(process, Refusal.of("smaps or numa_maps", process).toString(), e);
        }
    }

    /**
     * The same without asking the JVM: the location of the heap is read from its memory, so that only the kernel's walk
     * disturbs a measured program.
     *
     * @return empty for a process that is no JVM, and for a JVM that has no heap yet
     * @throws ObservationException when the process has ended, its memory may not be seen, or its JVM is not HotSpot
     */
    public static Optional<HeapMemory> find(long pid) {
        Path process = LivingThread.of(pid, Path.of("/proc", Long.toString(pid)));
        try {
            OptionalLong library = library(process.resolve("maps"));
            if (library.isEmpty()) {
                return Optional.empty();
            }
            List<Smaps.Mapping> all = Smaps.of(process);
            HeapRange range = all.stream().anyMatch(Smaps.Mapping::zgcHeap)
                    ? NO_RANGE
                    : HeapRange.of(process, library.getAsLong()).orElse(NO_RANGE);
            return join(heap(all, range.start(), range.end()), process.resolve("numa_maps"));
        } catch (AccessDeniedException | NoSuchFileException e) {
            throw unseen(
                    process,
                    Refusal.of("maps, smaps, numa_maps or mem", process).toString(),
                    e);
        } catch (IOException e) {
            throw unseen(process, String.valueOf(e.getMessage()), e);
        }
    }

    private static ObservationException unseen(Path process, String reason, IOException cause) {
        return new ObservationException(
                "cannot see the heap of " + process + ": "
                        + (NoSuchProcessException.isAbsent(process) ? "the process ended" : reason),
                cause);
    }

    /** The address of the first byte of libjvm.so in a process that maps it. */
    private static OptionalLong library(Path maps) throws IOException {
        try (BufferedReader lines = Smaps.reader(maps)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.endsWith("/libjvm.so")) {
                    return OptionalLong.of(Long.parseUnsignedLong(line.substring(0, line.indexOf('-')), 16));
                }
            }
        }
        return OptionalLong.empty();
    }

    /** Bytes in memory on all nodes. */
    public long totalBytes() {
        return bytesByNode.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Bytes in huge pages on all nodes. */
    public long hugeBytes() {
        return hugeBytesByNode.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The views of ZGC's heap, or what lies between two addresses. */
    private static List<Smaps.Mapping> heap(List<Smaps.Mapping> all, long start, long end) {
        List<Smaps.Mapping> views = all.stream().filter(Smaps.Mapping::zgcHeap).toList();
        return views.isEmpty()
                ? all.stream()
                        .filter(one -> one.start() < end && one.end() > start)
                        .toList()
                : views;
    }

    /** JDK 17 maps ZGC's heap three times, and a page is in the views by which it was touched. It counts once. */
    private static Optional<HeapMemory> join(List<Smaps.Mapping> heap, Path numaMaps) throws IOException {
        List<NumaMapsLine> found = new ArrayList<>();
        List<Double> hugeShares = new ArrayList<>();
        try (BufferedReader lines = Smaps.reader(numaMaps)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                NumaMapsLine one = NumaMapsLine.parse(line);
                Optional<Smaps.Mapping> mapping = heap.stream()
                        .filter(each -> each.start() <= one.start() && one.start() < each.end())
                        .findFirst();
                if (mapping.isPresent()) {
                    double total = one.bytesByNode().values().stream()
                            .mapToLong(Long::longValue)
                            .sum();
                    found.add(one);
                    hugeShares.add(Math.min(1, mapping.get().hugeBytes() / Math.max(1, total)));
                }
            }
        }
        double viewShare = Smaps.shareOfViews(heap, found);
        SortedMap<Integer, Long> bytes = new TreeMap<>();
        SortedMap<Integer, Long> huge = new TreeMap<>();
        for (int i = 0; i < found.size(); i++) {
            double hugeShare = hugeShares.get(i);
            found.get(i).bytesByNode().forEach((node, count) -> {
                bytes.merge(node, count, Long::sum);
                huge.merge(node, Math.round(count * hugeShare), Long::sum);
            });
        }
        bytes.replaceAll((node, count) -> Math.round(count * viewShare));
        huge.replaceAll((node, count) -> Math.round(count * viewShare));
        return bytes.isEmpty() ? Optional.empty() : Optional.of(new HeapMemory(bytes, huge));
    }
}
