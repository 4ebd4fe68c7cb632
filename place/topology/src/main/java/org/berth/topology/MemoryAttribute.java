package org.berth.topology;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Bandwidth, latency or another property of memory nodes ({@code hwloc_memattr_get_name},
 * {@code hwloc_memattr_get_flags}).
 *
 * @param name "Bandwidth", "Latency", …
 * @param flags hwloc's bits ({@code hwloc_memattr_flag_e}); see {@link #HIGHER_FIRST} and its neighbours
 * @since 0.1.0
 */
public record MemoryAttribute(String name, long flags, List<Value> values) {
    /** Greater values are better ({@code HWLOC_MEMATTR_FLAG_HIGHER_FIRST}). */
    public static final long HIGHER_FIRST = 1;

    /** Smaller values are better ({@code HWLOC_MEMATTR_FLAG_LOWER_FIRST}). */
    public static final long LOWER_FIRST = 1L << 1;

    /** A value holds as seen from some CPUs or device ({@code HWLOC_MEMATTR_FLAG_NEED_INITIATOR}). */
    public static final long NEED_INITIATOR = 1L << 2;

    public MemoryAttribute {
        values = List.copyOf(values);
    }

    /**
     * The attribute of one target.
     *
     * @param initiator the CPUs that the value was taken from; empty when it is the same from everywhere
     * @param initiatorObject the object that the value was taken from, when it was not a set of CPUs: a GPU, a node
     * @param value in hwloc's unit: bytes, MiB/s or nanoseconds
     */
    public record Value(
            TopologyObject target,
            CpuSet initiator,
            @Nullable TopologyObject initiatorObject,
            long value) {
        private boolean holdsFor(CpuSet from) {
            return initiatorObject == null && (initiator.isEmpty() || initiator.containsAll(from));
        }
    }

    /** Whether greater is better, as for a bandwidth. */
    public boolean higherIsBetter() {
        return (flags & HIGHER_FIRST) != 0;
    }

    /** Whether a value holds only as seen from some CPUs or device. */
    public boolean dependsOnInitiator() {
        return (flags & NEED_INITIATOR) != 0;
    }

    /** The objects that have a value, each once, in the order of the values ({@code hwloc_memattr_get_targets}). */
    public List<TopologyObject> targets() {
        return values.stream().map(Value::target).distinct().toList();
    }

    /** The values of one target, one for each place it was taken from ({@code hwloc_memattr_get_initiators}). */
    public List<Value> initiators(TopologyObject target) {
        return values.stream().filter(value -> value.target() == target).toList();
    }

    /**
     * The value of a target as seen from CPUs: that of an initiator which holds them all, or the one that is the same
     * from everywhere ({@code hwloc_memattr_get_value}).
     */
    public OptionalLong value(TopologyObject target, CpuSet from) {
        return values.stream()
                .filter(value -> value.target() == target && value.holdsFor(from))
                .mapToLong(Value::value)
                .findFirst();
    }

    /** The best target as seen from CPUs ({@code hwloc_memattr_get_best_target}); empty when nothing is known. */
    public Optional<TopologyObject> bestTarget(CpuSet from) {
        Comparator<Value> ascending = Comparator.comparingLong(Value::value);
        return values.stream()
                .filter(value -> value.holdsFor(from))
                .max(higherIsBetter() ? ascending : ascending.reversed())
                .map(Value::target);
    }

    /** The value of a target from where it is best ({@code hwloc_memattr_get_best_initiator}); empty when nothing is known. */
    public Optional<Value> bestInitiator(TopologyObject target) {
        Comparator<Value> ascending = Comparator.comparingLong(Value::value);
        return initiators(target).stream().max(higherIsBetter() ? ascending : ascending.reversed());
    }
}
