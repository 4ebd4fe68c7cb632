package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.berth.observation.Refusal;
import org.berth.observation.internal.kernel.CacheAwareScheduling;
import org.berth.observation.internal.kernel.KernelPlacement;
import org.berth.observation.internal.kernel.ProcessScheduling;
import org.berth.text.Bytes;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * Whether the kernel's cache-aware scheduling acts, and whether it skips a process: too many running threads for one
 * cache, or a footprint above its size. Pure functions of what was read.
 */
final class CacheAwareFindings {
    private static final String CHECK = "cache-aware-scheduling";
    private static final String ADDS =
            "berth places threads by cache without it: 'berth run --domain l3' gives a process the CPUs of one L3";

    private CacheAwareFindings() {}

    /** On this machine. */
    static Finding machine(KernelPlacement kernel, Topology topology) {
        LastLevelCaches caches = LastLevelCaches.of(topology);
        return kernel.cacheAware()
                .fold(
                        aware -> machine(kernel, aware, caches),
                        absent -> Finding.ok(CHECK, "this kernel does not have it: " + absent),
                        refusal -> caches.severalShared()
                                ? Finding.unknown(
                                        CHECK,
                                        new Refusal(
                                                refusal.reason(),
                                                "run as root, with debugfs mounted (mount -t debugfs none"
                                                        + " /sys/kernel/debug)"))
                                : Finding.ok(
                                        CHECK,
                                        onlyOne() + " (whether it is on is not known: " + refusal.reason() + ")"));
    }

    private static Finding machine(KernelPlacement kernel, CacheAwareScheduling aware, LastLevelCaches caches) {
        if (!caches.severalShared()) {
            return Finding.ok(CHECK, onlyOne());
        }
        if (!aware.wanted()) {
            return Finding.info(
                    CHECK,
                    "it is off (" + CacheAwareScheduling.FOLDER + "/enabled)",
                    "whether it would serve your work as well as binding: berth compare --kernel cache-aware=on --"
                            + " COMMAND");
        }
        if (kernel.schedExt().takesAll()) {
            return Finding.info(CHECK, "it is on, but a sched_ext scheduler has taken its threads (see sched-ext)", "");
        }
        return Finding.info(
                CHECK,
                "it is on, with aggr_tolerance " + aware.tolerance() + ": " + limits(kernel, aware, caches),
                "'berth doctor PID' tells whether it skips a process");
    }

    /**
     * On a process.
     *
     * @param cpus that its threads may use
     */
    static Finding process(KernelPlacement kernel, ProcessScheduling process, CpuSet cpus, Topology topology) {
        Finding machine = machine(kernel, topology);
        LastLevelCaches all = LastLevelCaches.of(topology);
        CacheAwareScheduling aware = kernel.cacheAware().orElse(new CacheAwareScheduling(false, 0));
        if (!all.severalShared() || !aware.wanted() || kernel.schedExt().takesAll()) {
            return machine;
        }
        LastLevelCaches caches = all.near(cpus);
        if (caches.caches().size() == 1) {
            return Finding.ok(
                    CHECK, "it is on; all CPUs of this process share one L3, so there is nothing left for it to do");
        }
        List<String> reasons = reasons(kernel, aware, process, caches);
        String numbers = numbers(process, caches);
        boolean unknownSize = kernel.numaBalancing().movesPages()
                && process.sampledBytes().value().isEmpty()
                && aware.tooLarge(process.residentBytes(), caches.largestBytes());
        if (reasons.isEmpty() && unknownSize) {
            return new Finding(
                    Finding.Severity.UNKNOWN,
                    CHECK,
                    "it is on, and skips this process if NUMA balancing sees it use more memory than an L3 has, which"
                            + " cannot be read (" + numbers + ")",
                    "run as the user of the process or as root");
        }
        if (reasons.isEmpty()) {
            return Finding.info(
                    CHECK,
                    "it is on and gathers the threads of this process in one L3 where it has room (" + numbers + ")",
                    "leave it to the kernel, unless 'berth compare --kernel cache-aware=off -- COMMAND' finds a better"
                            + " arm");
        }
        return Finding.info(
                CHECK, "it skips this process: " + String.join("; ", reasons), ADDS + remedy(kernel, process, caches));
    }

    private static String onlyOne() {
        return "the CPUs do not share several last-level caches, so cache-aware scheduling has no choice";
    }

    private static String limits(KernelPlacement kernel, CacheAwareScheduling aware, LastLevelCaches caches) {
        if (aware.tolerance() >= 100) {
            return "it skips no process with several threads";
        }
        String size = kernel.numaBalancing().movesPages()
                ? ", or uses more memory than that L3 has (" + Bytes.text(caches.largestBytes()) + ")"
                : "; the size of its memory does not count, since NUMA balancing does not sample it";
        return String.format(
                Locale.ROOT,
                "it skips a process that keeps %.1f or more threads running (of the %d CPUs of an L3)%s",
                aware.mostThreads(caches.mostCpus(), caches.threadsOfCore()),
                caches.mostCpus(),
                aware.tolerance() == 1 ? size : "");
    }

    private static List<String> reasons(
            KernelPlacement kernel, CacheAwareScheduling aware, ProcessScheduling process, LastLevelCaches caches) {
        List<String> reasons = new ArrayList<>();
        if (aware.tolerance() == 0) {
            return List.of("aggr_tolerance is 0, which skips every process");
        }
        if (process.threads() < 2) {
            return List.of("it has one thread");
        }
        double busy = process.busyThreads().orElse(0);
        if (aware.tooManyThreads(busy, caches.mostCpus(), caches.threadsOfCore())) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "%.1f threads ran at the same time, and %.1f are too many for the %d CPUs of an L3%s",
                    busy,
                    aware.mostThreads(caches.mostCpus(), caches.threadsOfCore()),
                    caches.mostCpus(),
                    caches.threadsOfCore() > 1 ? " with " + caches.threadsOfCore() + " threads a core" : ""));
        }
        OptionalLong footprint = footprint(kernel, process);
        if (footprint.isPresent() && aware.tooLarge(footprint.getAsLong(), caches.largestBytes())) {
            reasons.add("NUMA balancing sampled " + Bytes.text(footprint.getAsLong()) + " of its memory (resident: "
                    + Bytes.text(process.residentBytes()) + "), more than the "
                    + Bytes.text(caches.largestBytes()) + " of an L3");
        }
        return reasons;
    }

    /** What the kernel compares with the cache; empty when it does not, or does not tell. */
    private static OptionalLong footprint(KernelPlacement kernel, ProcessScheduling process) {
        return kernel.numaBalancing().movesPages()
                ? process.sampledBytes()
                        .fold(OptionalLong::of, absent -> OptionalLong.empty(), refusal -> OptionalLong.empty())
                : OptionalLong.empty();
    }

    private static String numbers(ProcessScheduling process, LastLevelCaches caches) {
        return String.format(
                Locale.ROOT,
                "%.1f threads ran at the same time, an L3 has %d CPUs and %s; resident: %s",
                process.busyThreads().orElse(0),
                caches.mostCpus(),
                Bytes.text(caches.largestBytes()),
                Bytes.text(process.residentBytes()));
    }

    private static String remedy(KernelPlacement kernel, ProcessScheduling process, LastLevelCaches caches) {
        if (process.threads() < 2) {
            return "";
        }
        int tolerance = CacheAwareScheduling.sufficientTolerance(
                process.busyThreads().orElse(0),
                caches.mostCpus(),
                caches.threadsOfCore(),
                footprint(kernel, process).orElse(0),
                caches.largestBytes());
        return "; from aggr_tolerance " + tolerance + " on the kernel would not skip it, for all processes of this"
                + " machine: berth compare --kernel cache-aware=on+llc-tolerance=" + tolerance + " -- COMMAND";
    }
}
