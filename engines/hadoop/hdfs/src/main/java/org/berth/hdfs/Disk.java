package org.berth.hdfs;

import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
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
 * @param byConnectionCpu how to choose for a connection whose packets one CPU handles, by that CPU; filled as they come
 */
record Disk(
        String volume,
        String device,
        InterruptReference reference,
        DynamicPlacement placement,
        CpuSet nearCpus,
        String reason,
        Map<Integer, DynamicPlacement> byConnectionCpu) {
    Disk(
            String volume,
            String device,
            InterruptReference reference,
            DynamicPlacement placement,
            CpuSet nearCpus,
            String reason) {
        this(volume, device, reference, placement, nearCpus, reason, new ConcurrentHashMap<>());
    }

    /**
     * The state is that of all disks: a core given away for one is taken for the others.
     *
     * @param connectionCpu the CPU that handles the packets of the thread's connection; empty where the adapter's all count
     */
    Decision decide(LoadSnapshot load, AtomicReference<DynamicState> state, OptionalInt connectionCpu) {
        DynamicPlacement chooser = connectionCpu.isEmpty() ? placement : ofConnection(connectionCpu.getAsInt());
        while (true) {
            DynamicState before = Objects.requireNonNull(state.get());
            Decision decision = chooser.decide(load, before);
            if (state.compareAndSet(before, decision.next())) {
                return decision;
            }
        }
    }

    /** Made when the first connection of a queue comes: an adapter may have hundreds that no client's hash leads to. */
    private DynamicPlacement ofConnection(int cpu) {
        DynamicPlacement known = byConnectionCpu.get(cpu);
        return known == null ? byConnectionCpu.computeIfAbsent(cpu, placement::forConnection) : known;
    }

    /** For the log. */
    String describe() {
        CpuSet handling = reference.handlingCpus();
        String what = volume + " on " + device + ", interrupts at CPUs " + (handling.isEmpty() ? "?" : handling)
                + ", service threads on CPUs " + (nearCpus.isEmpty() ? "of the DataNode" : nearCpus);
        return reason.isEmpty() ? what : what + " (" + reason + ")";
    }
}
