package org.berth.drawing.machine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.berth.text.Json;
import org.berth.topology.CpuKind;
import org.berth.topology.Distances;
import org.berth.topology.MemoryAttribute;
import org.berth.topology.MemoryTier;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;

/**
 * The machine as JSON with stable field names. Sets of CPUs and nodes are lists of kernel numbers such as "0-3,8", sizes
 * are bytes; a field that does not apply is absent. Version 1:
 *
 * <pre>
 * { "format": "berth-topology", "version": 1, "source": "live" | FILE | DESCRIPTION,
 *   "cpus", "allowedCpus", "completeCpus", "nodes", "allowedNodes": LIST,
 *   "freeBytesByNode": { "0": 1048576, … },
 *   "counts": { "package": 2, "core": 16, "pu": 32, … },
 *   "machine": OBJECT, "cpuKinds": […], "distances": […], "memoryAttributes": […],
 *   "memoryTiers": […] }
 * OBJECT: { "type", "logicalIndex", "osIndex", "name", "subtype", "cpus", "nodes", "totalMemoryBytes",
 *   attributes by type (sizeBytes, depth, localMemoryBytes, busId, …), "infos": { … },
 *   "children", "memoryChildren", "ioChildren", "miscChildren": [ OBJECT, … ] }
 * </pre>
 *
 * <p>Pure.
 *
 * @since 0.1.0
 */
public final class TopologyJson {
    private TopologyJson() {}

    /**
     * The whole machine, with a line break at the end.
     *
     * @param source where the description comes from, for the reader
     */
    public static String render(Topology topology, String source) {
        return render(topology, source, Map.of());
    }

    /**
     * The whole machine while it runs.
     *
     * @param freeBytesByNode memory that is free now, by osIndex of the node; left out when it is empty
     */
    public static String render(Topology topology, String source, Map<Integer, Long> freeBytesByNode) {
        return Json.of(Json.object()
                .with("format", "berth-topology")
                .with("version", 1)
                .with("source", source)
                .with("cpus", topology.cpuSet())
                .with("allowedCpus", topology.allowedCpuSet())
                .with("completeCpus", topology.completeCpuSet())
                .with("nodes", topology.nodeSet())
                .with("allowedNodes", topology.allowedNodeSet())
                .with("freeBytesByNode", Optional.of(freeBytesByNode).filter(free -> !free.isEmpty()))
                .with("counts", counts(topology))
                .with("machine", object(topology.root()))
                .withEach("cpuKinds", topology.cpuKinds(), TopologyJson::kind)
                .withEach("distances", topology.distances(), TopologyJson::distances)
                .withEach("memoryAttributes", topology.memoryAttributes(), TopologyJson::memoryAttribute)
                .withEach("memoryTiers", topology.memoryTiers(), TopologyJson::memoryTier));
    }

    private static Map<String, Integer> counts(Topology topology) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (ObjectType type : ObjectType.values()) {
            if (topology.count(type) > 0) {
                counts.put(typeName(type), topology.count(type));
            }
        }
        return counts;
    }

    /** "numaNode" for NUMA_NODE: names for programs, not for people. */
    static String typeName(ObjectType type) {
        StringBuilder name = new StringBuilder();
        boolean upper = false;
        for (char c : type.name().toCharArray()) {
            if (c == '_') {
                upper = true;
            } else {
                name.append(upper ? c : Character.toLowerCase(c));
                upper = false;
            }
        }
        return name.toString();
    }

    private static Json.Fields object(TopologyObject object) {
        Optional<TopologyObject> withSets = Optional.of(object).filter(one -> !isDevice(one.type()));
        return Json.object()
                .with("type", typeName(object.type()))
                .with("logicalIndex", object.logicalIndex())
                .with("osIndex", Optional.of(object.osIndex()).filter(index -> index >= 0))
                .with("name", object.name())
                .with("subtype", object.subtype())
                .with("cpus", withSets.map(TopologyObject::cpuSet))
                .with("nodes", withSets.map(TopologyObject::nodeSet))
                .with("totalMemoryBytes", positive(object.totalMemoryBytes()))
                .with(attributes(object.attributes()))
                .with("infos", infos(object.infos()))
                .with("children", objects(object.children()))
                .with("memoryChildren", objects(object.memoryChildren()))
                .with("ioChildren", objects(object.ioChildren()))
                .with("miscChildren", objects(object.miscChildren()));
    }

    private static boolean isDevice(ObjectType type) {
        return switch (type) {
            case BRIDGE, PCI_DEVICE, OS_DEVICE, MISC -> true;
            default -> false;
        };
    }

    private static Optional<List<Json.Fields>> objects(List<TopologyObject> objects) {
        return Optional.of(objects.stream().map(TopologyJson::object).toList()).filter(all -> !all.isEmpty());
    }

    private static Optional<Map<String, String>> infos(Map<String, String> infos) {
        return Optional.of(infos).filter(all -> !all.isEmpty());
    }

    /** Zero means unknown. */
    private static Optional<Long> positive(long value) {
        return Optional.of(value).filter(one -> one > 0);
    }

    private static Json.Fields attributes(ObjectAttributes attributes) {
        if (attributes instanceof ObjectAttributes.Cache cache) {
            return Json.object()
                    .with("depth", cache.depth())
                    .with("kind", cache.kind())
                    .with("sizeBytes", cache.sizeBytes())
                    .with("lineSizeBytes", cache.lineSizeBytes())
                    .with("associativity", cache.associativity());
        }
        if (attributes instanceof ObjectAttributes.NumaNode node) {
            return Json.object().with("localMemoryBytes", node.localMemoryBytes());
        }
        if (attributes instanceof ObjectAttributes.MemoryCache cache) {
            return Json.object()
                    .with("depth", cache.depth())
                    .with("sizeBytes", cache.sizeBytes())
                    .with("lineSizeBytes", cache.lineSizeBytes());
        }
        if (attributes instanceof ObjectAttributes.Bridge bridge) {
            return Json.object().with("upstream", bridge.upstream()).with("downstream", bridge.downstream());
        }
        if (attributes instanceof ObjectAttributes.Pci pci) {
            return Json.object()
                    .with("busId", pci.busId())
                    .with("classId", pci.classId())
                    .with("className", pci.className())
                    .with("vendorId", pci.vendorId())
                    .with("deviceId", pci.deviceId())
                    .with("linkSpeedGigabytesPerSecond", pci.linkSpeedGigabytesPerSecond());
        }
        if (attributes instanceof ObjectAttributes.OsDevice device) {
            return Json.object()
                    .with(
                            "kinds",
                            Arrays.stream(ObjectAttributes.DeviceKind.values())
                                    .filter(device.kinds()::contains)
                                    .toList());
        }
        return Json.object();
    }

    private static Json.Fields kind(CpuKind kind) {
        return Json.object()
                .with("efficiency", Optional.of(kind.efficiency()).filter(efficiency -> efficiency >= 0))
                .with("cpus", kind.cpus())
                .with("infos", infos(kind.infos()));
    }

    private static Json.Fields distances(Distances matrix) {
        int size = matrix.objects().size();
        List<List<Long>> values = new ArrayList<>();
        for (int row = 0; row < size; row++) {
            int from = row;
            values.add(IntStream.range(0, size)
                    .mapToObj(to -> matrix.value(from, to))
                    .toList());
        }
        return Json.object()
                .with("name", matrix.name())
                .withEach("objects", matrix.objects(), TopologyObject::toString)
                .with("values", values);
    }

    private static Json.Fields memoryAttribute(MemoryAttribute attribute) {
        return Json.object()
                .with("name", attribute.name())
                .withEach(
                        "values",
                        attribute.values(),
                        value -> Json.object()
                                .with("target", value.target().toString())
                                .with("initiatorCpus", value.initiator())
                                .with("value", value.value()));
    }

    private static Json.Fields memoryTier(MemoryTier tier) {
        return Json.object()
                .with("kind", tier.kind())
                .withEach("nodes", tier.nodes(), TopologyObject::osIndex)
                .with("sizeBytes", tier.sizeBytes())
                .with("bandwidthMebibytesPerSecond", positive(tier.bandwidthMebibytesPerSecond()))
                .with("latencyNanos", positive(tier.latencyNanos()));
    }
}
