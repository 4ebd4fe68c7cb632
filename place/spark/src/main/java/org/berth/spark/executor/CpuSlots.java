package org.berth.spark.executor;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.resource.ResourceInformation;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * CPUs that Spark's own resource scheduling assigns: the addresses of the resource {@code cpuslot} are lists of CPUs,
 * such as {@code 3} or {@code 3,35}. The script {@code berth-cpuslot.sh} prints them.
 */
public final class CpuSlots {
    /** The name of the resource in {@code spark.task.resource.NAME.amount}. */
    static final String NAME = "cpuslot";

    private CpuSlots() {}

    /**
     * Returns the union of its addresses; empty when there is no such resource.
     *
     * @throws IllegalStateException one line, when an address is not a list of CPUs
     */
    public static Optional<CpuSet> of(Map<String, ResourceInformation> resources) {
        ResourceInformation slots = resources.get(NAME);
        return slots == null || slots.addresses().length == 0
                ? Optional.empty()
                : Optional.of(union(slots.addresses()));
    }

    /** Most tasks have one address; a stream would cost them half a microsecond more. */
    private static CpuSet union(String[] addresses) {
        @Nullable CpuSet all = null;
        for (String address : addresses) {
            CpuSet cpus = parse(address, addresses);
            all = all == null ? cpus : all.union(cpus);
        }
        return Objects.requireNonNull(all);
    }

    private static CpuSet parse(String address, String[] all) {
        try {
            CpuSet cpus = CpuSet.parseList(address);
            if (!cpus.isEmpty() && !cpus.isInfinite()) {
                return cpus;
            }
        } catch (IllegalArgumentException e) {
            throw unknown(all, e);
        }
        throw unknown(all, null);
    }

    private static IllegalStateException unknown(String[] all, @Nullable Throwable cause) {
        return new IllegalStateException(
                "the addresses " + Arrays.toString(all) + " of the resource " + NAME
                        + " are not lists of CPUs; let berth-cpuslot.sh print them",
                cause);
    }
}
