package org.berth.observation.memory;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.observation.ObservationException;

/**
 * One mapping in numa_maps: {@code 7f5c94000000 default anon=5 dirty=5 N0=3 N1=2 kernelpagesize_kB=4}. Pages are counted
 * in units of kernelpagesize_kB, also where transparent huge pages lie behind them. A mapping without pages has neither
 * field. Spaces and '=' in names of files are escaped by the kernel, so no name can look like a field.
 *
 * @param start its first address
 * @param zgcHeap whether it is a view of the file in memory in which ZGC has its heap
 * @param own the part of the bytes that is memory of the process and not of a file, which other processes may have placed
 */
record NumaMapsLine(long start, boolean zgcHeap, Map<Integer, Long> bytesByNode, double own) {
    private static final Pattern PAGES = Pattern.compile(" N(\\d+)=(\\d+)(?= |$)");
    private static final Pattern PAGE_SIZE = Pattern.compile(" kernelpagesize_kB=(\\d+)(?= |$)");
    private static final Pattern ANONYMOUS = Pattern.compile(" anon=(\\d+)(?= |$)");

    /** Names of memory without a file on a disk: memfd_create(2), shmget(2), shared memory, explicit huge pages. */
    private static final Pattern MEMORY =
            Pattern.compile(" file=/(memfd:|SYSV|dev/shm/|dev/zero|anon_hugepage)| huge(?= |$)");

    private static final String ZGC_HEAP = " file=/memfd:java_heap";

    static NumaMapsLine parse(String line) {
        Map<Integer, Long> pagesByNode = new TreeMap<>();
        Matcher pages = PAGES.matcher(line);
        long count = 0;
        while (pages.find()) {
            long here = Long.parseLong(pages.group(2));
            count += here;
            pagesByNode.merge(Integer.valueOf(pages.group(1)), here, Long::sum);
        }
        if (count > 0) {
            long pageBytes = pageBytes(line);
            pagesByNode.replaceAll((node, here) -> here * pageBytes);
        }
        return new NumaMapsLine(
                Long.parseUnsignedLong(line.substring(0, line.indexOf(' ')), 16),
                line.contains(ZGC_HEAP),
                pagesByNode,
                own(line, count));
    }

    /** A private mapping of a file has pages of the file, and of its own where it was written to. */
    private static double own(String line, long pages) {
        if (!line.contains(" file=") || MEMORY.matcher(line).find()) {
            return 1;
        }
        Matcher anonymous = ANONYMOUS.matcher(line);
        return anonymous.find() ? Math.min(1, Double.parseDouble(anonymous.group(1)) / Math.max(1, pages)) : 0;
    }

    private static long pageBytes(String line) {
        Matcher size = PAGE_SIZE.matcher(line);
        if (!size.find()) {
            throw new ObservationException(
                    "cannot count memory: numa_maps of this kernel does not give the size of pages");
        }
        return Long.parseLong(size.group(1)) * 1024;
    }
}
