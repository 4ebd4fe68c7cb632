package org.berth.cli.status;

import java.util.Map;
import java.util.Optional;
import org.berth.binding.leases.LeaseRecord;
import org.berth.observation.Reading;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.observation.memory.MemoryLocality;
import org.berth.observation.memory.MemorySnapshot;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * A process: its CPUs, its memory, and what bound it.
 *
 * @param user the name, otherwise the number
 * @param masks numbers of threads by their CPUs, the most frequent first
 * @param near the nodes near all of its CPUs
 * @param policy the memory policy of its leader thread
 */
record ProcessState(
        ProcessFacts facts,
        String user,
        Map<CpuSet, Integer> masks,
        NodeSet near,
        Reading<String> policy,
        Reading<MemorySnapshot> memory,
        Optional<LeaseRecord> lease,
        BoundBy boundBy) {
    long pid() {
        return facts.pid();
    }

    /** From 0 to 1; empty when the memory is not known. */
    Optional<Double> remoteShare() {
        return memory.value().map(known -> 1 - MemoryLocality.of(known, near).share());
    }
}
