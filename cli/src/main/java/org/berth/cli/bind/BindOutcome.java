package org.berth.cli.bind;

import java.util.List;
import java.util.Optional;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * What became of one process.
 *
 * @param name the kernel's name of it
 * @param allowed what it inherited; empty when not even that could be found out
 * @param cpus where it was to go
 * @param nodes memory nodes near these
 * @param seats single threads with slots of their own
 * @param after empty when nothing was tried
 * @param notes what the user should know
 * @param failure one line; empty when all went well
 */
record BindOutcome(
        int pid,
        String name,
        CpuSet allowed,
        CpuSet cpus,
        NodeSet nodes,
        List<ThreadSeats.Seat> seats,
        Optional<LiveState> before,
        Optional<LiveState> after,
        List<String> notes,
        Optional<String> failure) {
    BindOutcome {
        seats = List.copyOf(seats);
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
