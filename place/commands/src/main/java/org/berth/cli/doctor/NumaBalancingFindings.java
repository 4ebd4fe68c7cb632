package org.berth.cli.doctor;

import org.berth.observation.internal.kernel.KernelPlacement;
import org.berth.observation.internal.kernel.NumaBalancing;
import org.berth.observation.internal.kernel.ProcessScheduling;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.text.Bytes;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** Whether the kernel's NUMA balancing acts, and on what. Pure functions of what was read. */
final class NumaBalancingFindings {
    private static final String CHECK = "numa-balancing";
    private static final String TRY = "berth compare --kernel numa-balancing=";

    private NumaBalancingFindings() {}

    /** On this machine. */
    static Finding machine(KernelPlacement kernel, Topology topology) {
        NumaBalancing balancing = kernel.numaBalancing();
        return Finding.of(
                CHECK,
                balancing.mode(),
                mode -> machine(kernel, mode, topology),
                absent -> Finding.ok(
                        CHECK, "this kernel has no automatic NUMA balancing (no /proc/sys/kernel/numa_balancing)"));
    }

    private static Finding machine(KernelPlacement kernel, int mode, Topology topology) {
        NumaBalancing balancing = kernel.numaBalancing();
        String read = "kernel.numa_balancing is " + mode;
        if (topology.nodeSet().size() < 2) {
            return Finding.ok(CHECK, read + "; with one memory node there is nothing to move");
        }
        if (mode == 0) {
            return Finding.info(
                    CHECK,
                    read + ": the kernel moves no page to the node of its users",
                    "whether it would serve your work as well as binding: " + TRY + "1 -- COMMAND");
        }
        if (!balancing.movesPages()) {
            return Finding.info(CHECK, read + ": pages move between memory tiers, not between nodes of one tier", "");
        }
        if (kernel.schedExt().takesAll()) {
            return Finding.info(CHECK, read + ", but it does not sample threads of a sched_ext scheduler", "");
        }
        return Finding.info(
                CHECK,
                read + ": the kernel samples accesses by page faults and migrates pages" + counts(balancing),
                "if all processes are bound, sysctl kernel.numa_balancing=0 avoids these faults; whether to leave"
                        + " placement to it: " + TRY + "0 -- COMMAND");
    }

    /** On a process. */
    static Finding process(
            KernelPlacement kernel, ProcessScheduling scheduling, ProcessFacts process, Topology topology) {
        NumaBalancing balancing = kernel.numaBalancing();
        Finding machine = machine(kernel, topology);
        if (topology.nodeSet().size() < 2
                || !balancing.movesPages()
                || kernel.schedExt().takesAll()) {
            return machine;
        }
        String on = "kernel.numa_balancing is " + balancing.mode().orElse(0);
        NodeSet near = topology.nodesOf(process.cpus());
        if (process.memoryNodes().size() == 1) {
            return Finding.ok(
                    CHECK,
                    on + ", but the memory of this process may only be on node " + process.memoryNodes()
                            + ": it has nothing to move");
        }
        if (scheduling.sampledBytes().orElse(-1L) == 0) {
            return Finding.info(
                    CHECK,
                    on + ", but it has not sampled this process: it skips memory with a policy (bind, interleave)"
                            + " unless the policy asks for it, and processes in their first seconds",
                    near.size() == 1
                            ? "nothing to add: the CPUs are near node " + near + ", and page-locality tells where its"
                                    + " memory is"
                            : "");
        }
        String sampled = scheduling
                .sampledBytes()
                .fold(
                        bytes -> ": it sampled accesses to " + Bytes.text(bytes) + " recently and moved "
                                + scheduling.numaPagesMigrated() + " pages for its living threads",
                        absent -> "",
                        refusal -> "; to how much of its memory is not known: " + refusal);
        return Finding.info(
                CHECK,
                on + " and acts on this process" + sampled,
                near.size() == 1
                        ? "its CPUs are near node " + near + ": pages move there gradually; 'berth bind' migrates them"
                                + " at once, and a process that 'berth run' starts has none to move"
                        : "berth adds places from the start (one JVM for each node: 'berth run --domain numa'); when '"
                                + TRY + "0 -- COMMAND' finds no better arm, leave it to the kernel");
    }

    private static String counts(NumaBalancing balancing) {
        return balancing.hintFaults().isEmpty()
                ? ""
                : " (since boot: " + balancing.hintFaults().getAsLong() + " faults, "
                        + balancing.pagesMigrated().orElse(0) + " pages moved)";
    }
}
