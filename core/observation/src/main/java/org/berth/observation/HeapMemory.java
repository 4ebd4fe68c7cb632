package org.berth.observation;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The heap of a HotSpot JVM as the kernel has it: its bytes in memory by node, and the part of them that lies in huge pages. It says
 * what the JVM got, and not what its flags asked for. Immutable.
 *
 * <p>The kernel counts huge pages for each mapping and not for each node. Where a mapping has pages on several nodes, its huge pages
 * are divided in proportion to its bytes on them.
 *
 * @param bytesByNode bytes in memory by osIndex of the node
 * @param hugeBytesByNode the part of them in transparent or explicit huge pages
 * @see <a href="https://docs.kernel.org/filesystems/proc.html">The /proc Filesystem, smaps and numa_maps</a>
 * @since 0.1.0
 */
public record HeapMemory(SortedMap<Integer, Long> bytesByNode, SortedMap<Integer, Long> hugeBytesByNode) {
    /** The addresses of a part of the heap in the answer of {@code jcmd PID GC.heap_info}: "[0xe0000000, 0xe7e00000, 0xeaaa0000)". */
    private static final Pattern RANGE =
            Pattern.compile("\\[0x([0-9a-f]{1,16}),(?: 0x[0-9a-f]+,)* 0x([0-9a-f]{1,16})\\)");

    /** The file in memory in which ZGC has its heap; its answer has no addresses. */
    private static final String ZGC_FILE = "memfd:java_heap";

    private static final HeapRange NO_RANGE = new HeapRange(Long.MAX_VALUE, 0);

    public HeapMemory {
        bytesByNode = Collections.unmodifiableSortedMap(new TreeMap<>(bytesByNode));
        hugeBytesByNode = Collections.unmodifiableSortedMap(new TreeMap<>(hugeBytesByNode));
    }

    /**
     * The heap of a JVM of this machine now. The kernel walks the page tables of the process for it: some milliseconds per GB of
     * small pages.
     *
     * @param heapInfo the answer of the JVM to {@code GC.heap_info}
     * @return empty when the heap is not found, as with collectors that tell no addresses
     * @throws ObservationException when the process has ended, or its memory may not be seen
     */
    public static Optional<HeapMemory> of(long pid, String heapInfo) {
        return of(Path.of("/proc", Long.toString(pid)), heapInfo);
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
            return join(heap(mappings(process.resolve("smaps")), start, end), process.resolve("numa_maps"));
        } catch (IOException e) {
            throw unseen(process, Refusal.of("smaps or numa_maps", process), e);
        }
    }

    /**
     * The same without asking the JVM: where the heap is, is read from its memory, so a program that is measured is not disturbed by more
     * than the kernel's walk.
     *
     * @return empty for a process that is no JVM, and for a JVM that has no heap yet
     * @throws ObservationException when the process has ended, its memory may not be seen, or its JVM is not HotSpot
     */
    public static Optional<HeapMemory> find(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            OptionalLong library = library(process.resolve("maps"));
            if (library.isEmpty()) {
                return Optional.empty();
            }
            List<Mapping> all = mappings(process.resolve("smaps"));
            HeapRange range = all.stream().anyMatch(one -> one.name.contains(ZGC_FILE))
                    ? NO_RANGE
                    : HeapRange.of(process, library.getAsLong()).orElse(NO_RANGE);
            return join(heap(all, range.start(), range.end()), process.resolve("numa_maps"));
        } catch (AccessDeniedException | NoSuchFileException e) {
            throw unseen(process, Refusal.of("maps, smaps, numa_maps or mem", process), e);
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

    /** Where the first byte of libjvm.so is mapped, in a process that has one. */
    private static OptionalLong library(Path maps) throws IOException {
        try (BufferedReader lines = reader(maps)) {
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

    /** One mapping of smaps. */
    private record Mapping(long start, long end, String name, long hugeBytes) {}

    private static List<Mapping> mappings(Path smaps) throws IOException {
        List<Mapping> mappings = new ArrayList<>();
        try (BufferedReader lines = reader(smaps)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split("\\s+", 6);
                if (!words[0].endsWith(":")) {
                    int dash = words[0].indexOf('-');
                    mappings.add(new Mapping(
                            Long.parseUnsignedLong(words[0].substring(0, dash), 16),
                            Long.parseUnsignedLong(words[0].substring(dash + 1), 16),
                            words.length > 5 ? words[5] : "",
                            0));
                } else if (isHuge(words[0]) && !mappings.isEmpty()) {
                    int last = mappings.size() - 1;
                    Mapping one = mappings.get(last);
                    long more = Long.parseLong(words[1]) * 1024;
                    mappings.set(last, new Mapping(one.start, one.end, one.name, one.hugeBytes + more));
                }
            }
        }
        return mappings;
    }

    private static boolean isHuge(String field) {
        return switch (field) {
            case "AnonHugePages:", "ShmemPmdMapped:", "Private_Hugetlb:", "Shared_Hugetlb:" -> true;
            default -> false;
        };
    }

    /** JDK 17 maps ZGC's heap three times, 4, 8 and 16 TiB from address 0 (zGlobals_x86.cpp); its pages count once. */
    private static List<Mapping> heap(List<Mapping> all, long start, long end) {
        Map<Long, List<Mapping>> views = new HashMap<>();
        for (Mapping one : all) {
            if (one.name.contains(ZGC_FILE)) {
                views.computeIfAbsent(Long.highestOneBit(one.start), view -> new ArrayList<>())
                        .add(one);
            }
        }
        return views.isEmpty()
                ? all.stream().filter(one -> one.start < end && one.end > start).toList()
                : views.entrySet().stream()
                        .max(Map.Entry.comparingByKey())
                        .orElseThrow()
                        .getValue();
    }

    private static Optional<HeapMemory> join(List<Mapping> heap, Path numaMaps) throws IOException {
        SortedMap<Integer, Long> bytes = new TreeMap<>();
        SortedMap<Integer, Long> huge = new TreeMap<>();
        try (BufferedReader lines = reader(numaMaps)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                long start = Long.parseUnsignedLong(line.substring(0, line.indexOf(' ')), 16);
                Optional<Mapping> found = heap.stream()
                        .filter(one -> one.start <= start && start < one.end)
                        .findFirst();
                if (found.isPresent()) {
                    Map<Integer, Long> here = NumaMapsLine.parse(line).bytesByNode();
                    double total =
                            here.values().stream().mapToLong(Long::longValue).sum();
                    double share = Math.min(1, found.get().hugeBytes / Math.max(1, total));
                    here.forEach((node, count) -> {
                        bytes.merge(node, count, Long::sum);
                        huge.merge(node, Math.round(count * share), Long::sum);
                    });
                }
            }
        }
        return bytes.isEmpty() ? Optional.empty() : Optional.of(new HeapMemory(bytes, huge));
    }

    /** Names of files in it may be in any encoding and do not matter here. */
    private static BufferedReader reader(Path file) throws IOException {
        return new BufferedReader(
                new InputStreamReader(new FileInputStream(file.toFile()), StandardCharsets.ISO_8859_1));
    }
}
