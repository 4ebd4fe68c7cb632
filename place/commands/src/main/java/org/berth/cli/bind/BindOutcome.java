package org.berth.cli.bind;

import java.util.List;
import java.util.Optional;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * The result of {@code bind} or {@code unbind} for one process.
 *
 * @param name the kernel's name of the process
 * @param allowed CPUs that it inherited; empty when they could not be read
 * @param cpus CPUs to which it was to be bound
 * @param nodes memory nodes near these CPUs
 * @param slots threads with slots of their own
 * @param after empty when nothing was changed
 * @param notes what the user should know
 * @param failure one line; empty on success
 */
record BindOutcome(
        int pid,
        String name,
        CpuSet allowed,
        CpuSet cpus,
        NodeSet nodes,
        List<ThreadSlots.Assigned> slots,
        Optional<LiveState> before,
        Optional<LiveState> after,
        List<String> notes,
        Optional<String> failure) {
    BindOutcome {
        slots = List.copyOf(slots);
        notes = List.copyOf(notes);
    }

    static BindOutcome failed(int pid, String name, String failure) {
        return new BindOutcome(
                pid,
                name,
                CpuSet.empty(),
                CpuSet.empty(),
                NodeSet.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.of(failure));
    }
}
