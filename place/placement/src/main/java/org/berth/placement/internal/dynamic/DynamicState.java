package org.berth.placement.internal.dynamic;

import org.berth.observation.internal.load.LoadSnapshot;
import org.berth.topology.CpuSet;

/**
 * The state that one decision passes to the next, because the load shows a new thread only after a while: the CPUs that
 * were assigned since. Immutable; every {@link Decision} has the next one.
 *
 * @param sample number of the load sample that the last decision used
 * @param taken CPUs assigned since that sample
 * @param takenBefore CPUs assigned during the sample before, of which it may have seen only a part
 * @param turn how many threads got a core so far: equally good cores are taken in turn
 * @since 0.1.0
 */
public record DynamicState(long sample, CpuSet taken, CpuSet takenBefore, long turn) {
    private static final DynamicState START = new DynamicState(0, CpuSet.empty(), CpuSet.empty(), 0);

    /** No CPU is assigned yet. */
    public static DynamicState start() {
        return START;
    }

    /** CPUs that do not count as idle whatever the load says. */
    CpuSet all() {
        return takenBefore.isEmpty() ? taken : taken.union(takenBefore);
    }

    /** At a newer sample: what is older than one whole interval shows in the load by now. */
    DynamicState at(LoadSnapshot load) {
        if (load.number() == sample) {
            return this;
        }
        return new DynamicState(
                load.number(), CpuSet.empty(), load.number() == sample + 1 ? taken : CpuSet.empty(), turn);
    }

    DynamicState with(CpuSet given) {
        return new DynamicState(sample, taken.union(given), takenBefore, turn + 1);
    }
}
