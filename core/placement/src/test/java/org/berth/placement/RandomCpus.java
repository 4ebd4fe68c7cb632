package org.berth.placement;

import java.util.SplittableRandom;
import org.berth.topology.CpuSet;

/** Allowed sets that cut through cores and packages. */
final class RandomCpus {
    private RandomCpus() {}

    /** Some CPUs of the set, at least one. */
    static CpuSet partOf(CpuSet cpus, SplittableRandom random) {
        double share = random.nextDouble();
        int[] members = cpus.toArray();
        CpuSet part = CpuSet.of(members[random.nextInt(members.length)]);
        for (int cpu : members) {
            if (random.nextDouble() < share) {
                part = part.with(cpu);
            }
        }
        return part;
    }
}
