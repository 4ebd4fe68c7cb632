package org.berth.cli.doctor;

import java.util.Map;
import java.util.Optional;
import org.berth.observation.Reading;
import org.berth.observation.internal.kernel.ProcessScheduling;
import org.berth.observation.internal.kernel.SchedExt;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.topology.CpuSet;

/**
 * Whether a loaded scheduler (sched_ext) schedules threads in place of the kernel's. Affinity masks hold under it: the
 * kernel unloads a scheduler that starts a thread on another CPU. How long a bound thread waits is up to the scheduler.
 */
final class SchedExtFindings {
    private static final String CHECK = "sched-ext";

    /** What schedulers do with bound threads, by the beginning of the name; from github.com/sched-ext/scx. */
    private static final Map<String, String> BOUND = Map.of(
            "layered",
                    "it puts threads with masks of their own into queues apart from its layers (scx pull request 1064)",
            "lavd", "it looks for idle CPUs inside their masks (scx pull requests 1597 and 3578)",
            "p2dq", "it looks for idle CPUs inside their masks, in the same cache first (scx pull request 1609)");

    private SchedExtFindings() {}

    /** On this machine. */
    static Finding machine(SchedExt ext) {
        return Finding.of(
                CHECK,
                ext.state(),
                state -> loadedOrNot(ext),
                absent -> Finding.ok(CHECK, "this kernel has no sched_ext (no /sys/kernel/sched_ext)"));
    }

    private static Finding loadedOrNot(SchedExt ext) {
        if (!ext.active()) {
            return Finding.ok(CHECK, "no sched_ext scheduler is loaded");
        }
        return Finding.info(
                CHECK,
                loaded(ext) + (ext.all() ? "all threads of the normal policies" : "the threads that ask for it")
                        + "; neither cache-aware scheduling nor NUMA balancing acts on these",
                "affinity masks hold under it, how long a bound thread waits is up to it; compare with and without it");
    }

    /** On a process. */
    static Finding process(SchedExt ext, ProcessScheduling scheduling, ProcessFacts process, Reading<CpuSet> online) {
        if (!ext.active()) {
            return machine(ext);
        }
        return Finding.of(
                CHECK,
                scheduling.extThreads(),
                threads -> process(ext, threads, scheduling, process, online),
                absent -> Finding.unknown(CHECK, loaded(ext) + "some threads, and which ones is not known: " + absent));
    }

    private static Finding process(
            SchedExt ext, int extThreads, ProcessScheduling scheduling, ProcessFacts process, Reading<CpuSet> online) {
        if (extThreads == 0) {
            return Finding.ok(CHECK, loaded(ext) + "other threads, and none of this process");
        }
        String read = loaded(ext) + extThreads + " of the " + scheduling.threads() + " threads of this process";
        boolean bound = process.masks().values().stream().anyMatch(mask -> !mask.containsAll(online.orElse(mask)));
        Optional<String> known = BOUND.entrySet().stream()
                .filter(entry -> ext.scheduler().orElse("").startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
        if (!bound) {
            return Finding.info(
                    CHECK,
                    read,
                    "berth adds masks that hold under it; leave placement to one of the two, and compare them");
        }
        return Finding.info(
                CHECK,
                read + ", some of which are bound: " + known.orElse("what it does with these is not known to berth"),
                "affinity masks hold; whether bound threads wait longer under it: compare with and without the scheduler");
    }

    private static String loaded(SchedExt ext) {
        return "the sched_ext scheduler '" + ext.scheduler().orElse("unknown") + "' schedules ";
    }
}
