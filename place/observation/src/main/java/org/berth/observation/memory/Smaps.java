package org.berth.observation.memory;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The mappings of a process by {@code /proc/PID/smaps}. */
final class Smaps {
    /** The file in memory in which ZGC has its heap. */
    private static final String ZGC_FILE = "memfd:java_heap";

    private static final long SMALLEST_PAGE_BYTES = 4096;

    private Smaps() {}

    /**
     * A mapping.
     *
     * @param hugeBytes the part in huge pages
     * @param shareBytes its bytes in memory, each divided by the number of mappings that have it (Pss)
     */
    record Mapping(long start, long end, String name, long hugeBytes, long shareBytes) {
        boolean zgcHeap() {
            return name.contains(ZGC_FILE);
        }
    }

    static List<Mapping> of(Path process) throws IOException {
        List<Mapping> mappings = new ArrayList<>();
        try (BufferedReader lines = reader(process.resolve("smaps"))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split("\\s+", 6);
                int last = mappings.size() - 1;
                if (!words[0].endsWith(":")) {
                    int dash = words[0].indexOf('-');
                    mappings.add(new Mapping(
                            Long.parseUnsignedLong(words[0].substring(0, dash), 16),
                            Long.parseUnsignedLong(words[0].substring(dash + 1), 16),
                            words.length > 5 ? words[5] : "",
                            0,
                            0));
                } else if (last >= 0 && (isHuge(words[0]) || words[0].equals("Pss:"))) {
                    Mapping one = mappings.get(last);
                    long more = Long.parseLong(words[1]) * 1024;
                    boolean huge = isHuge(words[0]);
                    mappings.set(
                            last,
                            new Mapping(
                                    one.start,
                                    one.end,
                                    one.name,
                                    one.hugeBytes + (huge ? more : 0),
                                    one.shareBytes + (huge ? 0 : more)));
                }
            }
        }
        return mappings;
    }

    /** The bytes of ZGC's heap in relation to the sum of its views, in which a page may be several times. Pss is cut to 1024 bytes. */
    static double shareOfViews(List<Mapping> mappings, List<NumaMapsLine> lines) {
        long once = mappings.stream()
                .filter(Mapping::zgcHeap)
                .mapToLong(Mapping::shareBytes)
                .sum();
        long sum = lines.stream()
                .filter(NumaMapsLine::zgcHeap)
                .mapToLong(line -> line.bytesByNode().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .sum();
        long pages = (once + SMALLEST_PAGE_BYTES - 1) / SMALLEST_PAGE_BYTES * SMALLEST_PAGE_BYTES;
        return pages >= sum ? 1 : (double) pages / sum;
    }

    private static boolean isHuge(String field) {
        return switch (field) {
            case "AnonHugePages:", "ShmemPmdMapped:", "Private_Hugetlb:", "Shared_Hugetlb:" -> true;
            default -> false;
        };
    }

    /** Names of files in it may be in any encoding and do not matter here. */
    static BufferedReader reader(Path file) throws IOException {
        return new BufferedReader(
                new InputStreamReader(new FileInputStream(file.toFile()), StandardCharsets.ISO_8859_1));
    }
}
