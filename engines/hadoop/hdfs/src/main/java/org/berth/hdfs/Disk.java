package org.berth.hdfs;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.berth.observation.LoadSnapshot;
import org.berth.placement.Decision;
import org.berth.placement.DynamicPlacement;
import org.berth.placement.DynamicState;
import org.berth.placement.InterruptReference;
import org.berth.topology.CpuSet;

/**
 * The disk below a volume, and how to choose places near it.
 *
 * @param volume path of the volume
 * @param device the kernel's name, "nvme0n1", several joined by "+"; "?" when it was not found
 * @param reference the CPUs that handle its interrupts, and those that it is near
 * @param placement chooses for threads that work on blocks
 * @param nearCpus for threads that serve the volume and are no block's; empty when they are to stay free
 * @param reason what is not known and why, or what the policy cannot do here, one line; empty when there is nothing to say
 */
record Disk(
        String volume,
        String device,
        InterruptReference reference,
        DynamicPlacement placement,
        CpuSet nearCpus,
        String reason) {
    /** The state is that of all disks: a core given away for one is taken for the others. */
    Decision decide(LoadSnapshot load, AtomicReference<DynamicState> state) {
        while (true) {
            DynamicState before = Objects.requireNonNull(state.get());
            Decision decision = placement.decide(load, before);
            if (state.compareAndSet(before, decision.next())) {
                return decision;
            }
        }
    }

    /** For the log. */
    String describe() {
        CpuSet handling = reference.handlingCpus();
        String what = volume + " on " + device + ", interrupts at CPUs " + (handling.isEmpty() ? "?" : handling)
                + ", service threads on CPUs " + (nearCpus.isEmpty() ? "of the DataNode" : nearCpus);
        return reason.isEmpty() ? what : what + " (" + reason + ")";
    }
}
