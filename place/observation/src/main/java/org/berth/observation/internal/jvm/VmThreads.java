package org.berth.observation.internal.jvm;

import java.util.List;

/**
 * The kernel's names of the JVM's own threads, in HotSpot of JDK 17 to 25; {@code vm_threads.c} has the same. Serial has no threads of
 * its own: it works on the VM thread, which therefore counts for all collectors, though it does other short work in safepoints.
 *
 * @since 0.1.0
 */
public final class VmThreads {
    /** Beginnings of kernel names, which have at most 15 bytes. */
    private static final List<String> COLLECTORS = List.of(
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

    private static final List<String> COMPILERS =
            List.of("C1 CompilerThre", "C2 CompilerThre", "JVMCI", "Sweeper thread");

    private VmThreads() {}

    /** The beginnings of the names of collector threads. */
    public static List<String> collectors() {
        return COLLECTORS;
    }

    /** The beginnings of the names of compiler threads and of the sweeper. */
    public static List<String> compilers() {
        return COMPILERS;
    }

    /** Whether a thread with this name in the kernel works for a collector, if it is the JVM's own. */
    public static boolean isCollector(String kernelName) {
        return COLLECTORS.stream().anyMatch(kernelName::startsWith);
    }
}
