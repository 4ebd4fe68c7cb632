package org.berth.placement;

import java.util.SplittableRandom;
import org.berth.topology.IndexSet;

/** Allowed sets that cut through cores, packages and nodes. */
public final class RandomPart {
    private RandomPart() {}

    /** Some members of the set, at least one when it has one. */
    public static <S extends IndexSet<S>> S of(S set, SplittableRandom random) {
        double share = random.nextDouble();
        S part = set;
        for (int member : set.toArray()) {
            if (random.nextDouble() >= share && part.size() > 1) {
                part = part.without(member);
            }
        }
        return part;
    }
}
