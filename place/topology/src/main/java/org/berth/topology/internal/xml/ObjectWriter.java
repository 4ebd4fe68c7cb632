package org.berth.topology.internal.xml;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectAttributes.DeviceKind;
import org.berth.topology.type.ObjectType;

/** Writes the object elements with everything in them. */
final class ObjectWriter {
    private final XmlText xml;
    private final Topology topology;
    private final Map<TopologyObject, Long> globalIndexes;

    ObjectWriter(XmlText xml, Topology topology, Map<TopologyObject, Long> globalIndexes) {
        this.xml = xml;
        this.topology = topology;
        this.globalIndexes = globalIndexes;
    }

    void write(TopologyObject object) {
        xml.open("object").with("type", object.type().hwlocName());
        if (object.osIndex() >= 0) {
            xml.with("os_index", object.osIndex());
        }
        if (!object.type().isIo() && object.type() != ObjectType.MISC) {
            writeSets(object);
        }
        xml.with("gp_index", Long.toUnsignedString(globalIndexes.getOrDefault(object, 0L)));
        object.name().ifPresent(name -> xml.with("name", name));
        object.subtype().ifPresent(subtype -> xml.with("subtype", subtype));
        writeAttributes(object);
        if (isLeaf(object)) {
            xml.end();
            return;
        }
        xml.children();
        if (object.attributes() instanceof ObjectAttributes.NumaNode node) {
            node.pagesBySizeBytes()
                    .forEach((size, count) -> xml.open("page_type")
                            .with("size", size)
                            .with("count", count)
                            .end());
        }
        object.allInfos().forEach(info -> xml.info(info.name(), info.value()));
        object.memoryChildren().forEach(this::write);
        object.children().forEach(this::write);
        object.ioChildren().forEach(this::write);
        object.miscChildren().forEach(this::write);
        xml.close("object");
    }

    private static boolean isLeaf(TopologyObject object) {
        boolean pages = object.attributes() instanceof ObjectAttributes.NumaNode node
                && !node.pagesBySizeBytes().isEmpty();
        return !pages && object.infos().isEmpty() && object.allChildren().isEmpty();
    }

    private void writeSets(TopologyObject object) {
        boolean root = object.type() == ObjectType.MACHINE;
        xml.with("cpuset", object.cpuSet().toMaskString());
        xml.with("complete_cpuset", object.completeCpuSet().toMaskString());
        if (root) {
            xml.with("allowed_cpuset", topology.allowedCpuSet().toMaskString());
        }
        xml.with("nodeset", object.nodeSet().toMaskString());
        xml.with("complete_nodeset", object.completeNodeSet().toMaskString());
        if (root) {
            xml.with("allowed_nodeset", topology.allowedNodeSet().toMaskString());
        }
    }

    private void writeAttributes(TopologyObject object) {
        ObjectAttributes attributes = object.attributes();
        if (attributes instanceof ObjectAttributes.Cache cache) {
            xml.with("cache_size", cache.sizeBytes())
                    .with("depth", cache.depth())
                    .with("cache_linesize", cache.lineSizeBytes())
                    .with("cache_associativity", cache.associativity())
                    .with("cache_type", cacheType(cache.kind()));
        } else if (attributes instanceof ObjectAttributes.MemoryCache cache) {
            xml.with("cache_size", cache.sizeBytes())
                    .with("depth", cache.depth())
                    .with("cache_linesize", cache.lineSizeBytes())
                    .with("cache_associativity", cache.associativity())
                    .with("cache_type", 0);
        } else if (attributes instanceof ObjectAttributes.NumaNode node) {
            xml.with("local_memory", node.localMemoryBytes());
        } else if (attributes instanceof ObjectAttributes.Group group) {
            xml.with("kind", group.kind()).with("subkind", group.subkind());
            if (group.dontMerge()) {
                xml.with("dont_merge", 1);
            }
        } else if (attributes instanceof ObjectAttributes.Bridge bridge) {
            write(bridge);
        } else if (attributes instanceof ObjectAttributes.Pci pci) {
            write(pci);
        } else if (attributes instanceof ObjectAttributes.OsDevice device) {
            xml.with("osdev_type", oldDeviceType(object, device.kinds()));
        }
    }

    private static int cacheType(ObjectAttributes.CacheKind kind) {
        return switch (kind) {
            case UNIFIED -> 0;
            case DATA -> 1;
            case INSTRUCTION -> 2;
        };
    }

    private void write(ObjectAttributes.Bridge bridge) {
        ObjectAttributes.Pci pci = bridge.pci();
        xml.with("bridge_type", pci == null ? "0-1" : "1-1").with("depth", bridge.depth());
        if (!bridge.downstream().isEmpty()) {
            xml.with("bridge_pci", bridge.downstream());
        }
        if (pci != null) {
            write(pci);
        }
    }

    private void write(ObjectAttributes.Pci pci) {
        xml.with("pci_busid", pci.busId())
                .with(
                        "pci_type",
                        String.format(
                                Locale.ROOT,
                                "%04x [%04x:%04x] [%04x:%04x] %02x",
                                pci.classId(),
                                pci.vendorId(),
                                pci.deviceId(),
                                pci.subvendorId(),
                                pci.subdeviceId(),
                                pci.revision()))
                .with("pci_link_speed", String.format(Locale.ROOT, "%f", pci.linkSpeedGigabytesPerSecond()));
    }

    /** The one number of format 2; the inverse of what {@link DeviceKinds} makes of it. */
    private static int oldDeviceType(TopologyObject device, Set<DeviceKind> kinds) {
        String name = device.name().orElse("");
        if (kinds.contains(DeviceKind.OPENFABRICS)) {
            return 3;
        }
        if (kinds.contains(DeviceKind.NETWORK)) {
            return "BXI".equals(device.subtype().orElse("")) ? 3 : 2;
        }
        if (kinds.contains(DeviceKind.STORAGE) || kinds.contains(DeviceKind.MEMORY)) {
            return 0;
        }
        if (kinds.contains(DeviceKind.DMA)) {
            return 4;
        }
        boolean gpu = kinds.contains(DeviceKind.GPU);
        boolean byDriver = name.startsWith("rsmi") || name.startsWith("nvml");
        boolean byRuntime =
                DeviceKinds.COMPUTE_RUNTIMES.contains(device.subtype().orElse(""));
        return kinds.contains(DeviceKind.COPROCESSOR) && !(gpu && byDriver && !byRuntime) ? 5 : 1;
    }
}
