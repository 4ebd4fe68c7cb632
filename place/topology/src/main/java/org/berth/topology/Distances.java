package org.berth.topology;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.berth.topology.type.ObjectType;

/**
 * A matrix over objects, such as the kernel's NUMA latencies ({@code hwloc_distances_s}). Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class Distances {
    /** Given by the system ({@code HWLOC_DISTANCES_KIND_FROM_OS}). */
    public static final long FROM_OS = 1L;
    /** Given by a user ({@code HWLOC_DISTANCES_KIND_FROM_USER}). */
    public static final long FROM_USER = 1L << 1;
    /** Smaller values mean nearer ({@code HWLOC_DISTANCES_KIND_MEANS_LATENCY}). */
    public static final long MEANS_LATENCY = 1L << 2;
    /** Greater values mean nearer ({@code HWLOC_DISTANCES_KIND_MEANS_BANDWIDTH}). */
    public static final long MEANS_BANDWIDTH = 1L << 3;

    private final String name;
    private final long kind;
    private final List<TopologyObject> objects;
    private final long[] values;

    /**
     * Makes a matrix; the values are copied. It is not part of the API.
     *
     * @throws IllegalArgumentException when there are not as many values as pairs of objects
     */
    public Distances(String name, long kind, List<TopologyObject> objects, long[] values) {
        if (values.length != (long) objects.size() * objects.size()) {
            throw new IllegalArgumentException(values.length + " values for " + objects.size() + " objects");
        }
        this.name = name;
        this.kind = kind;
        this.objects = List.copyOf(objects);
        this.values = values;
    }

    /** "NUMALatency", "XGMIBandwidth", …; "" when it has none ({@code hwloc_distances_get_name}). */
    public String name() {
        return name;
    }

    /** hwloc's bits ({@code hwloc_distances_kind_e}): who measured, and what the values mean. */
    public long kind() {
        return kind;
    }

    /** Whether smaller values mean nearer. */
    public boolean isLatency() {
        return (kind & MEANS_LATENCY) != 0;
    }

    /** Whether greater values mean nearer. */
    public boolean isBandwidth() {
        return (kind & MEANS_BANDWIDTH) != 0;
    }

    /** Rows and columns. */
    public List<TopologyObject> objects() {
        return objects;
    }

    /**
     * From the object of row {@code from} to that of column {@code to}.
     *
     * @throws IndexOutOfBoundsException outside the matrix
     */
    public long value(int from, int to) {
        if (from < 0 || to < 0 || from >= objects.size() || to >= objects.size()) {
            throw new IndexOutOfBoundsException(from + ", " + to + " in a matrix of " + objects.size());
        }
        return values[from * objects.size() + to];
    }

    /**
     * From one object to another ({@code hwloc_distances_obj_pair_values}).
     *
     * @throws IllegalArgumentException when one is not in the matrix
     */
    public long value(TopologyObject from, TopologyObject to) {
        return value(row(from), row(to));
    }

    private int row(TopologyObject object) {
        return indexOf(object)
                .orElseThrow(() -> new IllegalArgumentException(object + " is not in the matrix " + name));
    }

    /** Row and column of an object, if it has one ({@code hwloc_distances_obj_index}). */
    public OptionalInt indexOf(TopologyObject object) {
        int row = objects.indexOf(object);
        return row < 0 ? OptionalInt.empty() : OptionalInt.of(row);
    }

    /** Whether all objects are of that type. */
    public boolean isOf(ObjectType type) {
        return objects.stream().allMatch(object -> object.type() == type);
    }

    /** A copy of the values, row by row. */
    public long[] values() {
        return values.clone();
    }

    /**
     * The rows and columns of some of the objects ({@code hwloc_distances_transform} with
     * HWLOC_DISTANCES_TRANSFORM_REMOVE_NULL, after the unwanted objects were made null).
     */
    public Distances among(Predicate<TopologyObject> wanted) {
        int[] rows = IntStream.range(0, objects.size())
                .filter(i -> wanted.test(objects.get(i)))
                .toArray();
        long[] kept = new long[rows.length * rows.length];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = value(rows[i / rows.length], rows[i % rows.length]);
        }
        return new Distances(
                name, kind, IntStream.of(rows).mapToObj(objects::get).toList(), kept);
    }

    /**
     * Bandwidths as a number of equal links, the smallest bandwidth being one of them; 0 to oneself
     * ({@code hwloc_distances_transform} with HWLOC_DISTANCES_TRANSFORM_LINKS).
     *
     * @throws IllegalArgumentException when the values are not bandwidths, or no multiples of the smallest
     */
    public Distances links() {
        return new Distances(name, kind, objects, DistanceTransforms.links(this));
    }

    /**
     * All ports of a switch (objects with the subtype NVSwitch) as one, the first, with the sum of their bandwidths
     * ({@code hwloc_distances_transform} with HWLOC_DISTANCES_TRANSFORM_MERGE_SWITCH_PORTS).
     *
     * @throws IllegalArgumentException when this is not the matrix "NVLinkBandwidth", or has no switch
     */
    public Distances mergedSwitchPorts() {
        return DistanceTransforms.mergedSwitchPorts(this);
    }

    /**
     * Adds the bandwidths that two objects have through switches
     * ({@code hwloc_distances_transform} with HWLOC_DISTANCES_TRANSFORM_TRANSITIVE_CLOSURE).
     *
     * @throws IllegalArgumentException when this is not the matrix "NVLinkBandwidth"
     */
    public Distances transitiveClosure() {
        return new Distances(name, kind, objects, DistanceTransforms.transitiveClosure(this));
    }

    @Override
    public String toString() {
        return name + " of " + objects.size() + " objects";
    }
}
