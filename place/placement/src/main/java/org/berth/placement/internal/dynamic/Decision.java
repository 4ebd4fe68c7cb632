package org.berth.placement.internal.dynamic;

import java.util.Optional;
import org.berth.placement.internal.parts.HostPart;
import org.berth.topology.CpuSet;

/**
 * The place that was chosen for one thread. Immutable.
 *
 * @param cpus what to bind it to, by osIndex; empty to leave it as it is
 * @param core the core that was chosen; empty when it was none in particular
 * @param chosen the class by which it was chosen; empty likewise
 * @param next the state for the next decision
 * @since 0.1.0
 */
public record Decision(CpuSet cpus, Optional<ServiceCore> core, Optional<AffinityClass> chosen, DynamicState next) {
    /** Whether the thread is to be bound at all. */
    public boolean binds() {
        return !cpus.isEmpty();
    }

    /** One line for a log: "[DC] core L#2 (PU 2)". */
    public String words() {
        if (core.isPresent() && chosen.isPresent()) {
            return chosen.get().label() + " " + core.get().words();
        }
        return binds() ? "no core in particular (" + HostPart.pus(cpus) + ")" : "not bound";
    }
}
