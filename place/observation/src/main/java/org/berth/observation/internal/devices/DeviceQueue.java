package org.berth.observation.internal.devices;

import org.berth.topology.CpuSet;

/**
 * A queue of a device and the CPUs that the kernel ties to it. Immutable.
 *
 * @param role what the queue is for
 * @param index its number
 * @param cpus by osIndex; empty when steering is off
 * @see <a href="https://docs.kernel.org/networking/scaling.html">Scaling in the Linux networking stack</a>
 * @since 0.1.0
 */
public record DeviceQueue(Role role, int index, CpuSet cpus) {
    /** The use of a queue, and so the meaning of its CPUs. */
    public enum Role {
        /** A disk's hardware queue: what these CPUs submit goes there ({@code mq/N/cpu_list}). */
        SUBMIT,
        /** An adapter's receive queue: packets are steered to these CPUs (RPS, {@code rps_cpus}). */
        RECEIVE,
        /** An adapter's transmit queue: what these CPUs send goes there (XPS, {@code xps_cpus}). */
        TRANSMIT
    }
}
