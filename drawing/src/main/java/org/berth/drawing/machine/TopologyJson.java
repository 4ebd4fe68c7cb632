package org.berth.drawing.machine;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.berth.drawing.text.Labels;
import org.berth.topology.CpuKind;
import org.berth.topology.Distances;
import org.berth.topology.MemoryAttribute;
import org.berth.topology.MemoryTier;
import org.berth.topology.ObjectAttributes;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;

/**
 * The machine as JSON with stable field names. Sets of CPUs and nodes are lists of kernel numbers such as "0-3,8", sizes
 * are bytes; a field that does not apply is absent. Version 1:
 *
 * <pre>
 * { "format": "berth-topology", "version": 1, "source": "live" | FILE | DESCRIPTION,
 *   "cpus", "allowedCpus", "completeCpus", "nodes", "allowedNodes": LIST,
 *   "counts": { "package": 2, "core": 16, "pu": 32, … },
 *   "machine": OBJECT, "cpuKinds": […], "distances": […], "memoryAttributes": […],
 *   "memoryTiers": […] }
 * OBJECT: { "type", "logicalIndex", "osIndex", "name", "subtype", "cpus", "nodes", "totalMemoryBytes",
 *   attributes by type (sizeBytes, depth, localMemoryBytes, busId, …), "infos": { … },
 *   "children", "memoryChildren", "ioChildren", "miscChildren": [ OBJECT, … ] }
 * </pre>
 */
public final class TopologyJson {
    private final JsonGenerator json;

    private TopologyJson(JsonGenerator json) {
        this.json = json;
    }

    public static String render(Topology topology, String source) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            new TopologyJson(json).write(topology, source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.append('\n').toString();
    }

    private void write(Topology topology, String source) throws IOException {
        json.writeStartObject();
        json.writeStringField("format", "berth-topology");
        json.writeNumberField("version", 1);
        json.writeStringField("source", source);
        json.writeStringField("cpus", topology.cpuSet().toString());
        json.writeStringField("allowedCpus", topology.allowedCpuSet().toString());
        json.writeStringField("completeCpus", topology.completeCpuSet().toString());
        json.writeStringField("nodes", topology.nodeSet().toString());
        json.writeStringField("allowedNodes", topology.allowedNodeSet().toString());
        json.writeObjectFieldStart("counts");
        for (ObjectType type : ObjectType.values()) {
            if (topology.count(type) > 0) {
                json.writeNumberField(typeName(type), topology.count(type));
            }
        }
        json.writeEndObject();
        json.writeFieldName("machine");
        writeObject(topology.root());
        writeKinds(topology.cpuKinds());
        writeDistances(topology.distances());
        writeMemoryAttributes(topology.memoryAttributes());
        writeMemoryTiers(topology.memoryTiers());
        json.writeEndObject();
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

    private void writeObject(TopologyObject object) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", typeName(object.type()));
        json.writeNumberField("logicalIndex", object.logicalIndex());
        if (object.osIndex() >= 0) {
            json.writeNumberField("osIndex", object.osIndex());
        }
        if (object.name().isPresent()) {
            json.writeStringField("name", object.name().get());
        }
        if (object.subtype().isPresent()) {
            json.writeStringField("subtype", object.subtype().get());
        }
        if (!isDevice(object.type())) {
            json.writeStringField("cpus", object.cpuSet().toString());
            json.writeStringField("nodes", object.nodeSet().toString());
        }
        if (object.totalMemoryBytes() > 0) {
            json.writeNumberField("totalMemoryBytes", object.totalMemoryBytes());
        }
        writeAttributes(object.attributes());
        writeInfos(object.infos());
        writeObjects("children", object.children());
        writeObjects("memoryChildren", object.memoryChildren());
        writeObjects("ioChildren", object.ioChildren());
        writeObjects("miscChildren", object.miscChildren());
        json.writeEndObject();
    }

    private static boolean isDevice(ObjectType type) {
        return switch (type) {
            case BRIDGE, PCI_DEVICE, OS_DEVICE, MISC -> true;
            default -> false;
        };
    }

    private void writeObjects(String name, List<TopologyObject> objects) throws IOException {
        if (objects.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart(name);
        for (TopologyObject object : objects) {
            writeObject(object);
        }
        json.writeEndArray();
    }

    private void writeInfos(Map<String, String> infos) throws IOException {
        if (infos.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart("infos");
        for (Map.Entry<String, String> info : infos.entrySet()) {
            json.writeStringField(info.getKey(), info.getValue());
        }
        json.writeEndObject();
    }

    private void writeAttributes(ObjectAttributes attributes) throws IOException {
        if (attributes instanceof ObjectAttributes.Cache cache) {
            json.writeNumberField("depth", cache.depth());
            json.writeStringField("kind", Labels.lower(cache.kind()));
            json.writeNumberField("sizeBytes", cache.sizeBytes());
            json.writeNumberField("lineSizeBytes", cache.lineSizeBytes());
            json.writeNumberField("associativity", cache.associativity());
        } else if (attributes instanceof ObjectAttributes.NumaNode node) {
            json.writeNumberField("localMemoryBytes", node.localMemoryBytes());
        } else if (attributes instanceof ObjectAttributes.MemoryCache cache) {
            json.writeNumberField("depth", cache.depth());
            json.writeNumberField("sizeBytes", cache.sizeBytes());
            json.writeNumberField("lineSizeBytes", cache.lineSizeBytes());
        } else if (attributes instanceof ObjectAttributes.Bridge bridge) {
            json.writeStringField("upstream", bridge.upstream());
            json.writeStringField("downstream", bridge.downstream());
        } else if (attributes instanceof ObjectAttributes.Pci pci) {
            json.writeStringField("busId", pci.busId());
            json.writeNumberField("classId", pci.classId());
            json.writeStringField("className", pci.className());
            json.writeNumberField("vendorId", pci.vendorId());
            json.writeNumberField("deviceId", pci.deviceId());
            json.writeNumberField("linkSpeedGigabytesPerSecond", pci.linkSpeedGigabytesPerSecond());
        } else if (attributes instanceof ObjectAttributes.OsDevice device) {
            json.writeArrayFieldStart("kinds");
            for (ObjectAttributes.DeviceKind kind : ObjectAttributes.DeviceKind.values()) {
                if (device.kinds().contains(kind)) {
                    json.writeString(Labels.lower(kind));
                }
            }
            json.writeEndArray();
        }
    }

    private void writeKinds(List<CpuKind> kinds) throws IOException {
        json.writeArrayFieldStart("cpuKinds");
        for (CpuKind kind : kinds) {
            json.writeStartObject();
            if (kind.efficiency() >= 0) {
                json.writeNumberField("efficiency", kind.efficiency());
            }
            json.writeStringField("cpus", kind.cpus().toString());
            writeInfos(kind.infos());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void writeDistances(List<Distances> matrices) throws IOException {
        json.writeArrayFieldStart("distances");
        for (Distances matrix : matrices) {
            json.writeStartObject();
            json.writeStringField("name", matrix.name());
            json.writeArrayFieldStart("objects");
            for (TopologyObject object : matrix.objects()) {
                json.writeString(object.toString());
            }
            json.writeEndArray();
            json.writeArrayFieldStart("values");
            for (int from = 0; from < matrix.objects().size(); from++) {
                json.writeStartArray();
                for (int to = 0; to < matrix.objects().size(); to++) {
                    json.writeNumber(matrix.value(from, to));
                }
                json.writeEndArray();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void writeMemoryTiers(List<MemoryTier> tiers) throws IOException {
        json.writeArrayFieldStart("memoryTiers");
        for (MemoryTier tier : tiers) {
            json.writeStartObject();
            json.writeStringField("kind", tier.kind());
            json.writeArrayFieldStart("nodes");
            for (TopologyObject node : tier.nodes()) {
                json.writeNumber(node.osIndex());
            }
            json.writeEndArray();
            json.writeNumberField("sizeBytes", tier.sizeBytes());
            writeKnown("bandwidthMebibytesPerSecond", tier.bandwidthMebibytesPerSecond());
            writeKnown("latencyNanos", tier.latencyNanos());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void writeKnown(String name, long value) throws IOException {
        if (value > 0) {
            json.writeNumberField(name, value);
        }
    }

    private void writeMemoryAttributes(List<MemoryAttribute> attributes) throws IOException {
        json.writeArrayFieldStart("memoryAttributes");
        for (MemoryAttribute attribute : attributes) {
            json.writeStartObject();
            json.writeStringField("name", attribute.name());
            json.writeArrayFieldStart("values");
            for (MemoryAttribute.Value value : attribute.values()) {
                json.writeStartObject();
                json.writeStringField("target", value.target().toString());
                json.writeStringField("initiatorCpus", value.initiator().toString());
                json.writeNumberField("value", value.value());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
