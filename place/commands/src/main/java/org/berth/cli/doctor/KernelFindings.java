package org.berth.cli.doctor;

import java.util.List;
import org.berth.observation.Reading;
import org.berth.observation.internal.kernel.KernelPlacement;
import org.berth.observation.internal.kernel.ProcessScheduling;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** What the kernel itself does about placement, whether it acts on a process, and what berth adds. Pure functions. */
final class KernelFindings {
    private KernelFindings() {}

    static List<Finding> machine(KernelPlacement kernel, Topology topology) {
        return List.of(
                NumaBalancingFindings.machine(kernel, topology),
                CacheAwareFindings.machine(kernel, topology),
                SchedExtFindings.machine(kernel.schedExt()));
    }

    /** @param online CPUs that run; a thread with fewer is bound */
    static List<Finding> process(
            KernelPlacement kernel,
            ProcessScheduling scheduling,
            ProcessFacts process,
            Reading<CpuSet> online,
            Topology topology) {
        return List.of(
                NumaBalancingFindings.process(kernel, scheduling, process, topology),
                CacheAwareFindings.process(kernel, scheduling, process.cpus(), topology),
                SchedExtFindings.process(kernel.schedExt(), scheduling, process, online));
    }
}
