package org.berth.spark.ui;

import java.util.Locale;
import java.util.stream.Collectors;
import org.berth.spark.status.HeapStatus;
import org.berth.text.Bytes;
import org.berth.topology.CpuSet;

/** Numbers and sets in words. */
public final class UiText {
    private UiText() {}

    /** "12,345", or "not known". */
    static String number(long value) {
        return value < 0 ? "not known" : String.format(Locale.ROOT, "%,d", value);
    }

    /** "1.4 GiB", or "not known". */
    static String bytes(long bytes) {
        return bytes < 0 ? "not known" : Bytes.text(bytes);
    }

    /** "12.3 ms", or "not known". */
    static String millis(long nanos) {
        return nanos < 0 ? "not known" : String.format(Locale.ROOT, "%,.1f ms", nanos / 1e6);
    }

    /** "12 MiB of 1.4 GiB (0.8 %)". */
    static String remote(long remoteBytes, long memoryBytes) {
        if (remoteBytes < 0 || memoryBytes <= 0) {
            return "not known";
        }
        return String.format(
                Locale.ROOT,
                "%s of %s (%.1f %%)",
                bytes(remoteBytes),
                bytes(memoryBytes),
                100.0 * remoteBytes / memoryBytes);
    }

    /** "98.0 %", or "not known". */
    static String share(long part, long whole) {
        return part < 0 || whole <= 0 ? "not known" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
    }

    /** "node 0: 1.4 GiB (98.0 % huge), node 1: 2 MiB (0.0 % huge)", or why it is not known. */
    static String byNode(HeapStatus heap) {
        return heap.nodes().isEmpty()
                ? "not known: " + heap.reason()
                : heap.nodes().stream()
                        .map(one -> "node " + one.node() + ": " + bytes(one.bytes()) + " ("
                                + share(one.hugeBytes(), one.bytes()) + " huge)")
                        .collect(Collectors.joining(", "));
    }

    /** "1 host", "2 hosts". */
    static String count(long number, String noun) {
        return number(number) + " " + noun + (number == 1 ? "" : "s");
    }

    /** "3 s ago". */
    static String ago(long millis) {
        long seconds = Math.max(0, millis) / 1000;
        return seconds < 120 ? seconds + " s ago" : seconds / 60 + " min ago";
    }

    /** A dash for an empty set. */
    static String orNone(String set) {
        return set.isEmpty() ? "–" : set;
    }

    /** The set that an executor has sent; empty when it cannot be parsed. */
    static CpuSet cpus(String list) {
        try {
            return CpuSet.parseList(list);
        } catch (IllegalArgumentException e) {
            return CpuSet.empty();
        }
    }
}
