package org.berth.topology;

import java.util.List;

/** Skeleton: a matrix over objects; value(i, j) from i to j. */
public record Distances(String name, long kind, List<TopologyObject> objects, List<Long> values) {
    public long value(int from, int to) {
        return values.get(from * objects.size() + to);
    }
}
