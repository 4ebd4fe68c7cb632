package org.berth.topology;

import java.util.List;

/** A matrix over objects, such as the kernel's NUMA latencies ({@code hwloc_distances_s}). Immutable. */
public final class Distances {
    private static final long VALUE_LATENCY = 1L << 2;
    private static final long VALUE_BANDWIDTH = 1L << 3;

    private final String name;
    private final long kind;
    private final List<TopologyObject> objects;
    private final long[] values;

    Distances(String name, long kind, List<TopologyObject> objects, long[] values) {
        if (values.length != objects.size() * objects.size()) {
            throw new IllegalArgumentException(values.length + " values for " + objects.size() + " objects");
        }
        this.name = name;
        this.kind = kind;
        this.objects = List.copyOf(objects);
        this.values = values;
    }

    /** "NUMALatency", "XGMIBandwidth", …; "" when it has none. */
    public String name() {
        return name;
    }

    /** hwloc's bits ({@code hwloc_distances_kind_e}): who measured, and what the values mean. */
    public long kind() {
        return kind;
    }

    /** Whether smaller values mean nearer. */
    public boolean isLatency() {
        return (kind & VALUE_LATENCY) != 0;
    }

    /** Whether greater values mean nearer. */
    public boolean isBandwidth() {
        return (kind & VALUE_BANDWIDTH) != 0;
    }

    /** Rows and columns. */
    public List<TopologyObject> objects() {
        return objects;
    }

    /** From the object of row {@code from} to that of column {@code to}. */
    public long value(int from, int to) {
        if (from < 0 || to < 0 || from >= objects.size() || to >= objects.size()) {
            throw new IndexOutOfBoundsException(from + ", " + to + " in a matrix of " + objects.size());
        }
        return values[from * objects.size() + to];
    }

    /** From one object to another; IllegalArgumentException when one is not in the matrix. */
    public long value(TopologyObject from, TopologyObject to) {
        return value(row(from), row(to));
    }

    private int row(TopologyObject object) {
        int row = objects.indexOf(object);
        if (row < 0) {
            throw new IllegalArgumentException(object + " is not in the matrix " + name);
        }
        return row;
    }

    @Override
    public String toString() {
        return name + " of " + objects.size() + " objects";
    }
}
