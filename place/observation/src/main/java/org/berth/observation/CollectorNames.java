package org.berth.observation;

import java.util.List;

/**
 * The names that HotSpot in JDK 17 to 25 gives to the threads of its collectors. Serial has no threads of its own: it works
 * on the VM thread, which therefore counts for all collectors, though it does other short work in safepoints.
 *
 * @since 0.1.0
 */
public final class CollectorNames {
    /** Beginnings of kernel names, which have at most 15 bytes. */
    private static final List<String> BEGINNINGS = List.of(
            "GC Thread#",
            "G1 ",
            "VM Thread",
            "ZDirector",
            "ZDriver",
            "ZStat",
            "ZUncommitter",
            "ZUnmapper",
            "ZWorker",
            "RuntimeWorker#",
            "XDirector",
            "XDriver",
            "XStat",
            "XUncommitter",
            "XUnmapper",
            "XWorker",
            "Shenandoah",
            // JDKs after 25; until then "Shenandoah Uncommit Thread".
            "ShenUncommit");

    private CollectorNames() {}

    /** The beginnings of the names of such threads in the kernel. */
    public static List<String> beginnings() {
        return BEGINNINGS;
    }

    /** Whether a thread with this name in the kernel works for a collector, if it is the JVM's own. */
    public static boolean match(String kernelName) {
        return BEGINNINGS.stream().anyMatch(kernelName::startsWith);
    }
}
