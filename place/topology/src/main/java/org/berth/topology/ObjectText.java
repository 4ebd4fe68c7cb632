package org.berth.topology;

import java.util.Set;
import org.berth.text.Bytes;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;

/** The short texts of objects, the same as lstopo's. */
final class ObjectText {
    private ObjectText() {}

    static String of(TopologyObject object) {
        ObjectAttributes attributes = object.attributes();
        if (attributes instanceof ObjectAttributes.Pci pci) {
            String busId = pci.busId().startsWith("0000:") ? pci.busId().substring(5) : pci.busId();
            return "PCI " + busId + " (" + pci.className() + ")";
        }
        if (object.type() == ObjectType.OS_DEVICE) {
            return label(object) + " \"" + object.name().orElse("") + "\"";
        }
        String number = object.osIndex() < 0 ? "" : " (P#" + object.osIndex() + ")";
        return label(object) + " L#" + object.logicalIndex() + number;
    }

    private static String label(TopologyObject object) {
        String label = typeName(object);
        return object.subtype().map(subtype -> label + "(" + subtype + ")").orElse(label);
    }

    static String typeName(TopologyObject object) {
        ObjectAttributes attributes = object.attributes();
        if (attributes instanceof ObjectAttributes.Cache cache) {
            return switch (cache.kind()) {
                case UNIFIED -> "L" + cache.depth();
                case DATA -> "L" + cache.depth() + "d";
                case INSTRUCTION -> "L" + cache.depth() + "i";
            };
        }
        if (attributes instanceof ObjectAttributes.Group group) {
            return "Group" + group.depth();
        }
        if (attributes instanceof ObjectAttributes.Bridge bridge) {
            return bridge.upstream().equals("host") ? "HostBridge" : "PCIBridge";
        }
        if (attributes instanceof ObjectAttributes.OsDevice device) {
            return deviceLabel(device.kinds());
        }
        if (object.type() == ObjectType.PCI_DEVICE) {
            return "PCI";
        }
        return object.type().hwlocName();
    }

    private static String deviceLabel(Set<ObjectAttributes.DeviceKind> kinds) {
        if (kinds.contains(ObjectAttributes.DeviceKind.OPENFABRICS)) {
            return "OpenFabrics";
        }
        if (kinds.contains(ObjectAttributes.DeviceKind.STORAGE)) {
            return "Block";
        }
        if (kinds.isEmpty()) {
            return "OSDev";
        }
        return switch (kinds.iterator().next()) {
            case STORAGE -> "Block";
            case MEMORY -> "Memory";
            case GPU -> kinds.contains(ObjectAttributes.DeviceKind.COPROCESSOR) ? "CoProc" : "GPU";
            case COPROCESSOR -> "CoProc";
            case NETWORK -> "Net";
            case OPENFABRICS -> "OpenFabrics";
            case DMA -> "DMA";
        };
    }

    /**
     * The tree as indented text, one object per line, memory before CPUs before devices, in the order of lstopo's console
     * output.
     */
    static String ofTree(TopologyObject root) {
        StringBuilder text = new StringBuilder();
        add(text, root, 0);
        return text.toString();
    }

    private static void add(StringBuilder text, TopologyObject object, int indent) {
        text.append("  ".repeat(indent)).append(object).append(size(object)).append('\n');
        object.memoryChildren().forEach(child -> add(text, child, indent + 1));
        object.children().forEach(child -> add(text, child, indent + 1));
        object.ioChildren().forEach(child -> add(text, child, indent + 1));
        object.miscChildren().forEach(child -> add(text, child, indent + 1));
    }

    private static String size(TopologyObject object) {
        ObjectAttributes attributes = object.attributes();
        if (attributes instanceof ObjectAttributes.Cache cache) {
            return bytes(cache.sizeBytes());
        }
        if (attributes instanceof ObjectAttributes.MemoryCache cache) {
            return bytes(cache.sizeBytes());
        }
        if (object.type() == ObjectType.MACHINE || object.type() == ObjectType.NUMA_NODE) {
            return bytes(object.totalMemoryBytes());
        }
        return "";
    }

    private static String bytes(long bytes) {
        return bytes > 0 ? " " + Bytes.text(bytes) : "";
    }
}
