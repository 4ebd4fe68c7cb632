package org.berth.placement.internal.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.placement.ThreadOrder;
import org.berth.placement.internal.parts.Core;
import org.berth.topology.CpuKind;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;

/** Cores in the order of level core or pu. */
final class CoreSpread {
    private final Topology topology;
    private final ThreadOrder order;

    CoreSpread(Topology topology, ThreadOrder order) {
        this.topology = topology;
        this.order = order;
    }

    /** What makes cores alike; all of them are when every one is wanted. */
    private record Likeness(int efficiency, long cacheBytes) {}

    /** A core of each L3 cache in turn, alike ones before the next; as they are when caches are to be filled. */
    List<Core> of(List<Core> cores) {
        if (order == ThreadOrder.PACK) {
            return cores;
        }
        Map<Likeness, Map<Optional<TopologyObject>, List<Core>>> groups = new LinkedHashMap<>();
        for (Core core : cores) {
            Optional<TopologyObject> cache = core.pus().get(0).ancestor(ObjectType.L3_CACHE);
            groups.computeIfAbsent(likeness(core, cache), key -> new LinkedHashMap<>())
                    .computeIfAbsent(cache, key -> new ArrayList<>())
                    .add(core);
        }
        List<Core> result = new ArrayList<>();
        for (Map<Optional<TopologyObject>, List<Core>> caches : groups.values()) {
            int most = caches.values().stream().mapToInt(List::size).max().orElse(0);
            for (int round = 0; round < most; round++) {
                for (List<Core> members : caches.values()) {
                    if (round < members.size()) {
                        result.add(members.get(round));
                    }
                }
            }
        }
        return result;
    }

    private Likeness likeness(Core core, Optional<TopologyObject> cache) {
        if (order == ThreadOrder.SPREAD_ALL) {
            return new Likeness(-1, 0);
        }
        long bytes = cache.map(TopologyObject::attributes).orElse(null) instanceof ObjectAttributes.Cache attributes
                ? attributes.sizeBytes()
                : 0;
        return new Likeness(
                topology.cpuKind(core.cpus().first()).map(CpuKind::efficiency).orElse(-1), bytes);
    }
}
