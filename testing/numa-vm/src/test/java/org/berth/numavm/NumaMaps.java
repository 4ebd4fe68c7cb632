package org.berth.numavm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Pages on each node, as the kernel counts them in /proc/PID/numa_maps; the policy column says what they asked for. */
public final class NumaMaps {
    /** What the kernel counts in but for mappings of hugetlbfs: 4096, or 65536 on most kernels for POWER. */
    public static final int PAGE_BYTES = pageBytes();

    /** Some names have a space: "7f5c00000000 prefer (many)=balancing:0-1 anon=1 …", "… weighted interleave:0-1 …". */
    private static final Pattern POLICY = Pattern.compile("(?m)^\\S+ ((?:weighted |prefer (?=\\())?\\S+)");

    private NumaMaps() {}

    /** The pages that this number of bytes takes. */
    public static long pagesOf(long bytes) {
        return bytes / PAGE_BYTES;
    }

    /** The page size of the first mapping, a file of the JVM. */
    private static int pageBytes() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/smaps"), StandardCharsets.ISO_8859_1)) {
            String line = lines.filter(l -> l.startsWith("KernelPageSize:"))
                    .findFirst()
                    .orElseThrow();
            return 1024 * Integer.parseInt(line.replaceAll("\\D", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Pages by node of the own mapping that begins at or before an address. */
    public static Map<Integer, Long> at(long address) throws IOException {
        String found = "";
        for (String line : Files.readAllLines(Path.of("/proc/self/numa_maps"))) {
            if (Long.compareUnsigned(Long.parseUnsignedLong(line.split(" ", 2)[0], 16), address) <= 0) {
                found = line;
            }
        }
        return of(found);
    }

    /** Pages by node in one line. */
    public static Map<Integer, Long> of(String line) {
        Map<Integer, Long> pages = new TreeMap<>();
        count(line, pages);
        return pages;
    }

    /** Pages by node of all memory of a process that no file is behind: heap (ZGC's is a file without a name), metaspace, code, stacks. */
    public static Map<Integer, Long> anonymous(long pid) throws IOException {
        Map<Integer, Long> pages = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/numa_maps"))) {
            boolean anonymous = !line.contains(" file=") && line.contains(" anon=");
            if (anonymous || line.contains(" file=/memfd:java_heap")) {
                count(line, pages);
            }
        }
        return pages;
    }

    /** Pages by node of the mappings of a process that begin in an area of addresses and that no file is behind. */
    public static Map<Integer, Long> between(long pid, long start, long end) throws IOException {
        Map<Integer, Long> pages = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/numa_maps"))) {
            long at = Long.parseUnsignedLong(line.split(" ", 2)[0], 16);
            if (start <= at && at < end && !line.contains(" file=")) {
                count(line, pages);
            }
        }
        return pages;
    }

    /** The policies of all mappings as one thread has them: its own, unless a mapping has another one. */
    public static Set<String> policies(long pid, int tid) throws IOException {
        Path maps = Path.of("/proc/" + pid + "/task/" + tid + "/numa_maps");
        return POLICY.matcher(Files.readString(maps, StandardCharsets.ISO_8859_1))
                .results()
                .map(line -> line.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void count(String line, Map<Integer, Long> pages) {
        for (String word : line.split(" ", -1)) {
            if (word.matches("N\\d+=\\d+")) {
                int equals = word.indexOf('=');
                int node = Integer.parseInt(word.substring(1, equals));
                pages.merge(node, Long.parseLong(word.substring(equals + 1)), Long::sum);
            }
        }
    }
}
