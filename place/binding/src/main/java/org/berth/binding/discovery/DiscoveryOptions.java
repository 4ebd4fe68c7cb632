package org.berth.binding.discovery;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import org.berth.topology.type.ObjectType;

/**
 * What {@link Discovery} looks for. Immutable and thread-safe: each method returns new options.
 *
 * @since 0.1.0
 */
public final class DiscoveryOptions {
    private static final DiscoveryOptions EVERYTHING =
            new DiscoveryOptions(Map.of(), Set.of(), List.of(), OptionalInt.empty());

    private final Map<ObjectType, TypeFilter> filters;
    private final Set<DiscoveryFlag> flags;
    private final List<String> withoutComponents;
    private final OptionalInt pid;

    private DiscoveryOptions(
            Map<ObjectType, TypeFilter> filters,
            Set<DiscoveryFlag> flags,
            List<String> withoutComponents,
            OptionalInt pid) {
        Map<ObjectType, TypeFilter> all = new EnumMap<>(ObjectType.class);
        for (ObjectType type : ObjectType.values()) {
            all.put(type, filters.getOrDefault(type, TypeFilter.KEEP_ALL));
        }
        this.filters = Collections.unmodifiableMap(all);
        this.flags = Set.copyOf(flags);
        this.withoutComponents = List.copyOf(withoutComponents);
        this.pid = pid;
    }

    /** Every object that hwloc can find. */
    public static DiscoveryOptions everything() {
        return EVERYTHING;
    }

    /** The objects that lstopo shows: only important I/O, and no group without a meaning ({@code hwloc_topology_init}). */
    public static DiscoveryOptions defaults() {
        return EVERYTHING.filterIo(TypeFilter.KEEP_IMPORTANT).filter(ObjectType.GROUP, TypeFilter.KEEP_STRUCTURE);
    }

    /**
     * Sets another filter for one type ({@code hwloc_topology_set_type_filter}).
     *
     * @throws IllegalArgumentException when hwloc cannot do without the type, or the filter is not for it
     */
    public DiscoveryOptions filter(ObjectType type, TypeFilter filter) {
        if (!isFor(type, filter)) {
            throw new IllegalArgumentException("the filter " + filter + " is not for " + type);
        }
        Map<ObjectType, TypeFilter> changed = new EnumMap<>(filters);
        changed.put(type, filter);
        return new DiscoveryOptions(changed, flags, withoutComponents, pid);
    }

    /** The filter for a type ({@code hwloc_topology_get_type_filter}). */
    public TypeFilter filter(ObjectType type) {
        return filters.getOrDefault(type, TypeFilter.KEEP_ALL);
    }

    /** Sets another filter for every type that has it ({@code hwloc_topology_set_all_types_filter}). */
    public DiscoveryOptions filterAll(TypeFilter filter) {
        return filter(List.of(ObjectType.values()), filter);
    }

    /** Sets another filter for all CPU caches ({@code hwloc_topology_set_cache_types_filter}). */
    public DiscoveryOptions filterCaches(TypeFilter filter) {
        return filter(types(ObjectType::isCache), filter);
    }

    /** Sets another filter for caches of instructions ({@code hwloc_topology_set_icache_types_filter}). */
    public DiscoveryOptions filterInstructionCaches(TypeFilter filter) {
        return filter(types(ObjectType::isInstructionCache), filter);
    }

    /** Sets another filter for bridges, PCI and OS devices ({@code hwloc_topology_set_io_types_filter}). */
    public DiscoveryOptions filterIo(TypeFilter filter) {
        return filter(List.of(ObjectType.BRIDGE, ObjectType.PCI_DEVICE, ObjectType.OS_DEVICE), filter);
    }

    private static List<ObjectType> types(Predicate<ObjectType> wanted) {
        return Arrays.stream(ObjectType.values()).filter(wanted).toList();
    }

    /** Types that the filter is not for are passed over, as hwloc does when it is told one for several types. */
    private DiscoveryOptions filter(List<ObjectType> types, TypeFilter filter) {
        DiscoveryOptions changed = this;
        for (ObjectType type : types) {
            changed = isFor(type, filter) ? changed.filter(type, filter) : changed;
        }
        return changed;
    }

    private static boolean isFor(ObjectType type, TypeFilter filter) {
        boolean needed = type == ObjectType.MACHINE || type == ObjectType.PU || type == ObjectType.NUMA_NODE;
        return switch (filter) {
            case KEEP_ALL -> true;
            case KEEP_NONE, KEEP_IMPORTANT -> !needed;
            case KEEP_STRUCTURE -> !needed && !type.isIo() && type != ObjectType.MISC;
        };
    }

    /** Sets these flags and no others ({@code hwloc_topology_set_flags}). */
    public DiscoveryOptions withFlags(DiscoveryFlag... wanted) {
        Set<DiscoveryFlag> set = EnumSet.noneOf(DiscoveryFlag.class);
        set.addAll(Arrays.asList(wanted));
        return new DiscoveryOptions(filters, set, withoutComponents, pid);
    }

    /** The flags ({@code hwloc_topology_get_flags}). */
    public Set<DiscoveryFlag> flags() {
        return flags;
    }

    /** Leaves out one of hwloc's components, such as "x86" or "linux:pci" ({@code hwloc_topology_set_components}). */
    public DiscoveryOptions withoutComponent(String name) {
        List<String> more = new ArrayList<>(withoutComponents);
        more.add(name);
        return new DiscoveryOptions(filters, flags, more, pid);
    }

    /** Describes the machine as another process may use it ({@code hwloc_topology_set_pid}): by that one's cgroup. */
    public DiscoveryOptions asSeenBy(int processId) {
        return new DiscoveryOptions(filters, flags, withoutComponents, OptionalInt.of(processId));
    }

    List<String> withoutComponents() {
        return withoutComponents;
    }

    OptionalInt pid() {
        return pid;
    }
}
