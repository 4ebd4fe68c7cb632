package org.berth.drawing.internal.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.berth.text.Bytes;
import org.berth.text.Words;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectAttributes.Cache;
import org.berth.topology.type.ObjectAttributes.CacheKind;
import org.berth.topology.type.ObjectAttributes.DeviceKind;
import org.berth.topology.type.ObjectAttributes.MemoryCache;
import org.berth.topology.type.ObjectAttributes.NumaNode;
import org.berth.topology.type.ObjectAttributes.OsDevice;
import org.berth.topology.type.ObjectAttributes.Pci;
import org.berth.topology.type.ObjectType;

/** The names that all outputs use for the parts of a machine. Pure. */
public final class Labels {
    private Labels() {}

    /** "Package L#0", "L3 L#1", "Cluster L#2": what and which. */
    public static String name(TopologyObject object) {
        if (object.type() == ObjectType.MACHINE) {
            return "Machine";
        }
        return kind(object) + " L#" + object.logicalIndex();
    }

    /** The same without the number. */
    public static String kind(TopologyObject object) {
        return switch (object.type()) {
            case MACHINE -> "Machine";
            case PACKAGE -> "Package";
            case DIE -> "Die";
            case CORE -> "Core";
            case PU -> "PU";
            case NUMA_NODE -> "NUMA node";
            case MEMORY_CACHE -> "Memory-side cache";
            case GROUP -> object.subtype().orElse("Group");
            case L1_CACHE, L2_CACHE, L3_CACHE, L4_CACHE, L5_CACHE, L1I_CACHE, L2I_CACHE, L3I_CACHE -> cacheKind(object);
            case BRIDGE, PCI_DEVICE, OS_DEVICE, MISC ->
                object.name().or(object::subtype).orElse(object.type().name());
        };
    }

    /** L1 data caches are called L1d, the usual name. */
    private static String cacheKind(TopologyObject object) {
        if (object.attributes() instanceof Cache cache) {
            String suffix = cache.kind() == CacheKind.DATA ? "d" : cache.kind() == CacheKind.INSTRUCTION ? "i" : "";
            return "L" + cache.depth() + suffix;
        }
        return object.type().name();
    }

    /** "L2 256 KiB"; only the name when the size is unknown. */
    public static String cache(TopologyObject object) {
        long size = object.attributes() instanceof Cache cache ? cache.sizeBytes() : 0;
        return size > 0 ? cacheKind(object) + " " + Bytes.text(size) : cacheKind(object);
    }

    /** Whether it is a cache of CPUs; a memory-side cache is not. */
    public static boolean isCache(TopologyObject object) {
        return object.attributes() instanceof Cache;
    }

    /** "NUMA node P#0 · 64 GiB · HBM". */
    public static String memory(TopologyObject node) {
        StringBuilder label = new StringBuilder("NUMA node P#").append(node.osIndex());
        if (node.attributes() instanceof NumaNode memory) {
            label.append(Words.SEPARATOR)
                    .append(memory.localMemoryBytes() == 0 ? "no memory" : Bytes.text(memory.localMemoryBytes()));
        }
        node.subtype().ifPresent(kind -> label.append(Words.SEPARATOR).append(kind));
        return label.toString();
    }

    /** "96 GiB memory-side cache". */
    public static String memoryCache(TopologyObject object) {
        long size = object.attributes() instanceof MemoryCache cache ? cache.sizeBytes() : 0;
        return size > 0 ? Bytes.text(size) + " memory-side cache" : "memory-side cache";
    }

    /** One line for each device below an object; bridges and the chip set's own devices show nothing. */
    public static List<String> devices(TopologyObject object) {
        List<String> lines = new ArrayList<>();
        for (TopologyObject child : object.ioChildren()) {
            addDevices(child, lines);
        }
        return lines;
    }

    private static void addDevices(TopologyObject object, List<String> lines) {
        if (object.type() == ObjectType.OS_DEVICE) {
            lines.add(device(List.of(object), Optional.empty()));
            return;
        }
        List<TopologyObject> named = new ArrayList<>();
        for (TopologyObject child : object.ioChildren()) {
            if (object.type() == ObjectType.PCI_DEVICE && child.type() == ObjectType.OS_DEVICE) {
                named.add(child);
            }
        }
        if (object.type() == ObjectType.PCI_DEVICE && (named.isEmpty() ? matters(object) : !onlyDma(named))) {
            lines.add(device(named, Optional.of(object)));
        }
        for (TopologyObject child : object.ioChildren()) {
            if (!named.contains(child)) {
                addDevices(child, lines);
            }
        }
    }

    /** Storage, networks, displays, processors and accelerators: the classes that hwloc calls important. */
    private static boolean matters(TopologyObject object) {
        if (!(object.attributes() instanceof Pci pci)) {
            return false;
        }
        return switch (pci.classId() >> 8) {
            case 0x01, 0x02, 0x03, 0x0b, 0x12 -> true;
            default -> pci.classId() == 0x0502 || pci.classId() == 0x0c04 || pci.classId() == 0x0c06;
        };
    }

    /** Channels of a DMA engine come by the dozen and tell a user nothing. */
    private static boolean onlyDma(List<TopologyObject> devices) {
        return devices.stream()
                .allMatch(device ->
                        device.attributes() instanceof OsDevice os && os.kinds().equals(Set.of(DeviceKind.DMA)));
    }

    /** "eth0 · Ethernet · PCI 02:00.0 · Intel I350". */
    private static String device(List<TopologyObject> named, Optional<TopologyObject> pci) {
        List<String> parts = new ArrayList<>();
        List<String> names = new ArrayList<>();
        named.forEach(device -> device.name().ifPresent(names::add));
        if (!names.isEmpty()) {
            parts.add(String.join(", ", names));
        }
        String kind = "";
        if (pci.isPresent() && pci.get().attributes() instanceof Pci attributes) {
            kind = attributes.className();
        }
        if (!named.isEmpty()) {
            TopologyObject first = named.get(0);
            kind = first.subtype().orElse(deviceKind(first, kind));
        }
        if (!kind.isEmpty()) {
            parts.add(kind);
        }
        if (pci.isPresent() && pci.get().attributes() instanceof Pci attributes) {
            parts.add("PCI " + shortBusId(attributes.busId()));
        }
        for (TopologyObject device : named) {
            size(device).ifPresent(parts::add);
            model(device.infos()).ifPresent(parts::add);
        }
        pci.flatMap(Labels::maker).ifPresent(parts::add);
        return String.join(Words.SEPARATOR, parts);
    }

    /** The model where hwloc knows it, else who made it. */
    private static Optional<String> maker(TopologyObject pci) {
        return model(pci.infos())
                .or(() -> pci.attributes() instanceof Pci attributes
                        ? PciVendors.name(attributes.vendorId())
                        : Optional.empty());
    }

    private static String deviceKind(TopologyObject device, String pciClass) {
        if (device.attributes() instanceof OsDevice os && !os.kinds().isEmpty()) {
            return switch (os.kinds().iterator().next()) {
                case STORAGE -> "disk";
                case MEMORY -> "memory";
                case GPU -> "GPU";
                case COPROCESSOR -> "coprocessor";
                case NETWORK -> pciClass.equals("InfiniBand") ? pciClass : "network";
                case OPENFABRICS -> "InfiniBand";
                case DMA -> "DMA";
            };
        }
        return pciClass;
    }

    /** hwloc writes the size of a block device in KiB; version 3 adds the unit. */
    private static Optional<String> size(TopologyObject device) {
        String size = device.infos().getOrDefault("Size", "");
        String kibibytes =
                size.endsWith("KiB") ? size.substring(0, size.length() - 3).strip() : size;
        if (kibibytes.isEmpty() || kibibytes.length() > 15 || !kibibytes.chars().allMatch(Character::isDigit)) {
            return Optional.empty();
        }
        return Optional.of(Bytes.text(Long.parseLong(kibibytes) * 1024));
    }

    private static Optional<String> model(Map<String, String> infos) {
        for (String key : new String[] {"GPUModel", "Model", "PCIDevice"}) {
            String value = infos.getOrDefault(key, "").strip();
            if (!value.isEmpty()) {
                String vendor = infos.getOrDefault(key.equals("PCIDevice") ? "PCIVendor" : "GPUVendor", "")
                        .strip();
                return Optional.of(vendor.isEmpty() || value.startsWith(vendor) ? value : vendor + " " + value);
            }
        }
        return Optional.empty();
    }

    /** The domain is left out when it is the usual one, as lspci does. */
    public static String shortBusId(String busId) {
        return busId.startsWith("0000:") ? busId.substring(5) : busId;
    }

    /** The marketing name of a processor without its noise. */
    public static Optional<String> processor(Map<String, String> infos) {
        String model = infos.getOrDefault("CPUModel", "");
        if (model.isEmpty()) {
            return Optional.empty();
        }
        String clean =
                model.replace("(R)", "").replace("(TM)", "").replace("(tm)", "").replace(" CPU", "");
        StringBuilder single = new StringBuilder();
        for (String word : clean.strip().split(" ", -1)) {
            if (!word.isEmpty()) {
                single.append(single.isEmpty() ? "" : " ").append(word);
            }
        }
        return Optional.of(single.toString());
    }

    /** "Dell Inc. PowerEdge R910", or the host's name, or nothing. */
    public static Optional<String> machine(Map<String, String> infos) {
        String product = infos.getOrDefault("DMIProductName", infos.getOrDefault("PlatformModel", ""))
                .strip();
        if (product.isEmpty()) {
            return Optional.empty();
        }
        String vendor = infos.getOrDefault("DMISysVendor", "").strip();
        return Optional.of(vendor.isEmpty() || product.startsWith(vendor) ? product : vendor + " " + product);
    }
}
