package org.berth.mapreduce.programs.duplicates;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Fragments of a cluster that are kept so far, up to a number of bytes for their bases. */
final class KeptFragments {
    private final int mismatches;
    private final long capacityBytes;
    private final List<PackedBases> sequences = new ArrayList<>();
    private final Set<PackedBases> exact = new HashSet<>();
    private long bytes;

    KeptFragments(int mismatches, long capacityBytes) {
        this.mismatches = mismatches;
        this.capacityBytes = capacityBytes;
    }

    boolean containsExactly(PackedBases bases) {
        return exact.contains(bases);
    }

    boolean containsNear(PackedBases bases) {
        if (mismatches > 0) {
            for (PackedBases kept : sequences) {
                if (kept.within(bases, mismatches)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether there is no room. There always is room for one, so that each round keeps something. */
    boolean full() {
        return bytes >= capacityBytes && !sequences.isEmpty();
    }

    void add(PackedBases bases) {
        sequences.add(bases);
        exact.add(bases);
        bytes += bases.bytes();
    }

    void clear() {
        sequences.clear();
        exact.clear();
        bytes = 0;
    }
}
