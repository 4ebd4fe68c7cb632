package org.berth.spark.status;

import java.util.List;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * What the plugin of an executor itself knows of its places, at one moment; {@link StatusBuilder} adds what the kernel
 * says. Immutable. The parts are those of {@link ExecutorStatus}.
 *
 * @param cpus the executor's domain; empty when nothing could be found out
 * @param nodes the memory nodes of the domain; empty when the machine names none
 */
public record StatusPlaces(
        String level,
        String reason,
        CpuSet cpus,
        NodeSet nodes,
        List<ExecutorStatus.TaskSlot> slots,
        long tasks,
        long shared,
        long rebinds,
        long bindFailures,
        List<ExecutorStatus.ServiceThread> threads,
        List<String> notes) {

    public StatusPlaces {
        slots = List.copyOf(slots);
        threads = List.copyOf(threads);
        notes = List.copyOf(notes);
    }

    /** Nothing is placed. */
    public static StatusPlaces none(String reason) {
        return new StatusPlaces(
                "none",
                reason,
                CpuSet.empty(),
                NodeSet.empty(),
                List.of(),
                0,
                0,
                0,
                0,
                List.of(),
                reason.isEmpty() ? List.of() : List.of(reason));
    }
}
