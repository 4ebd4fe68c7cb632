package org.berth.observation;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One mapping in numa_maps: {@code 7f5c94000000 default anon=5 dirty=5 N0=3 N1=2 kernelpagesize_kB=4}. Pages are counted
 * in units of kernelpagesize_kB, also where transparent huge pages lie behind them. A mapping without pages has neither
 * field. Spaces and '=' in names of files are escaped by the kernel, so no name can look like a field.
 */
record NumaMapsLine(Map<Integer, Long> bytesByNode) {
    private static final Pattern PAGES = Pattern.compile(" N(\\d+)=(\\d+)(?= |$)");
    private static final Pattern PAGE_SIZE = Pattern.compile(" kernelpagesize_kB=(\\d+)(?= |$)");

    static NumaMapsLine parse(String line) {
        Map<Integer, Long> bytesByNode = new TreeMap<>();
        Matcher pages = PAGES.matcher(line);
        while (pages.find()) {
            bytesByNode.merge(
                    Integer.valueOf(pages.group(1)), Long.parseLong(pages.group(2)) * pageBytes(line), Long::sum);
        }
        return new NumaMapsLine(bytesByNode);
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
