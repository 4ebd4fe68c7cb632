package org.berth.hdfs;

import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.berth.placement.internal.dynamic.DynamicPlacement;
import org.berth.topology.CpuSet;

/** The CPUs for the threads of one volume: those that work on its blocks, and those that serve it. Thread-safe. */
final class VolumePlacement {
    private final Disk disk;
    private final DynamicPlacement blocks;
    private final CpuSet serviceCpus;
    private final String reason;
    /** Made when the first connection of a queue comes: an adapter may have hundreds that no client's hash leads to. */
    private final Map<Integer, DynamicPlacement> byConnectionCpu = new ConcurrentHashMap<>();

    /**
     * @param blocks chooses for threads that work on blocks, as long as their connection is not known
     * @param serviceCpus for threads that serve the volume; empty when they stay free
     * @param reason what is not known, or what the policy cannot do here, one line; empty when there is nothing to say
     */
    VolumePlacement(Disk disk, DynamicPlacement blocks, CpuSet serviceCpus, String reason) {
        this.disk = disk;
        this.blocks = blocks;
        this.serviceCpus = serviceCpus;
        this.reason = reason;
    }

    Disk disk() {
        return disk;
    }

    CpuSet serviceCpus() {
        return serviceCpus;
    }

    /**
     * What chooses for a thread that works on a block.
     *
     * @param connectionCpu the CPU that handles the packets of the thread's connection; empty for all CPUs of the
     * adapter
     */
    DynamicPlacement blocks(OptionalInt connectionCpu) {
        if (connectionCpu.isEmpty()) {
            return blocks;
        }
        int cpu = connectionCpu.getAsInt();
        DynamicPlacement known = byConnectionCpu.get(cpu);
        return known == null ? byConnectionCpu.computeIfAbsent(cpu, blocks::forConnection) : known;
    }

    /** A description for the log. */
    String describe() {
        CpuSet handling = disk.interrupts().handlingCpus();
        String what = disk.volume() + " on " + disk.device() + ", interrupts at CPUs "
                + (handling.isEmpty() ? "?" : handling) + ", service threads on CPUs "
                + (serviceCpus.isEmpty() ? "of the DataNode" : serviceCpus);
        return reason.isEmpty() ? what : what + " (" + reason + ")";
    }
}
