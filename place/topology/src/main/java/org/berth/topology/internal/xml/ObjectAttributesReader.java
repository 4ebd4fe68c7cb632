package org.berth.topology.internal.xml;

import java.util.Locale;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.text.Words;
import org.berth.topology.ObjectDraft;
import org.berth.topology.type.Info;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;
import org.jspecify.annotations.Nullable;

/** Reads what only one kind of object has. */
final class ObjectAttributesReader {
    private static final Pattern BUS_ID =
            Pattern.compile("([0-9a-fA-F]{1,8}):([0-9a-fA-F]{1,2}):([0-9a-fA-F]{1,2})\\.([0-9a-fA-F])");
    private static final Pattern PCI_TYPE =
            Pattern.compile("([0-9a-fA-F]{1,4}) \\[([0-9a-fA-F]{1,4}):([0-9a-fA-F]{1,4})\\]"
                    + "(?: \\[([0-9a-fA-F]{1,4}):([0-9a-fA-F]{1,4})\\](?: ([0-9a-fA-F]{1,2})\\b)?)?.*");
    private static final Pattern BRIDGE_BUSES =
            Pattern.compile("([0-9a-fA-F]{1,8}):\\[([0-9a-fA-F]{1,2})-([0-9a-fA-F]{1,2})\\]");

    private final XmlElements xml;
    private final ObjectDraft draft;
    private final int version;
    private final ObjectAttributes own;
    private final long localMemoryBytes;
    private final int deviceType;

    /** Reads the attributes of the present element at once, as they are gone when its children are read. */
    ObjectAttributesReader(XmlElements xml, ObjectDraft draft, int version) {
        this.xml = xml;
        this.draft = draft;
        this.version = version;
        this.localMemoryBytes = draft.type == ObjectType.NUMA_NODE ? size("local_memory") : 0;
        this.deviceType = draft.type == ObjectType.OS_DEVICE ? xml.smallNumber("osdev_type", 0) : 0;
        this.own = own();
    }

    /** The attributes, completed by what the element's children said. */
    ObjectAttributes finish(SortedMap<Long, Long> pagesBySizeBytes) {
        return switch (draft.type) {
            case NUMA_NODE -> new ObjectAttributes.NumaNode(localMemoryBytes, pagesBySizeBytes);
            case OS_DEVICE -> new ObjectAttributes.OsDevice(DeviceKinds.of(draft, deviceType, version));
            default -> own;
        };
    }

    private ObjectAttributes own() {
        if (draft.type.isCache()) {
            return cache();
        }
        return switch (draft.type) {
            case MEMORY_CACHE ->
                new ObjectAttributes.MemoryCache(
                        size("cache_size"),
                        xml.smallNumber("depth", 0),
                        xml.smallNumber("cache_linesize", 0),
                        xml.smallNumber("cache_associativity", 0));
            case GROUP ->
                new ObjectAttributes.Group(
                        xml.number("kind", 0), xml.number("subkind", 0), 0, xml.smallNumber("dont_merge", 0) != 0);
            case BRIDGE -> bridge();
            case PCI_DEVICE -> pci(busId(xml.required("pci_busid")), xml.attribute("pci_type"));
            default -> new ObjectAttributes.None();
        };
    }

    private ObjectAttributes cache() {
        boolean instruction = draft.type.isInstructionCache();
        int level = draft.type.hwlocName().charAt(1) - '0';
        int depth = xml.smallNumber("depth", level);
        ObjectAttributes.CacheKind kind = cacheKind(xml.smallNumber("cache_type", instruction ? 2 : 0));
        if (depth != level || instruction != (kind == ObjectAttributes.CacheKind.INSTRUCTION)) {
            throw xml.fault(draft.type.hwlocName() + " cannot have depth " + depth + " and kind " + kind);
        }
        // An attribute in format 3; in format 2 it is among the infos.
        String inclusive = xml.attribute("cache_inclusive");
        if (inclusive != null) {
            draft.infos.set(new Info("Inclusive", inclusive));
        }
        return new ObjectAttributes.Cache(
                depth,
                kind,
                size("cache_size"),
                xml.smallNumber("cache_linesize", 0),
                xml.smallNumber("cache_associativity", 0));
    }

    private ObjectAttributes.CacheKind cacheKind(int number) {
        return switch (number) {
            case 0 -> ObjectAttributes.CacheKind.UNIFIED;
            case 1 -> ObjectAttributes.CacheKind.DATA;
            case 2 -> ObjectAttributes.CacheKind.INSTRUCTION;
            default -> throw xml.fault("cache_type=\"" + number + "\" is not 0, 1 or 2");
        };
    }

    private ObjectAttributes bridge() {
        String type = xml.attribute("bridge_type");
        String busId = xml.attribute("pci_busid");
        String buses = xml.attribute("bridge_pci");
        boolean behindPci = type != null && type.startsWith("1-");
        ObjectAttributes.Pci pci = behindPci && busId != null ? pci(busId(busId), xml.attribute("pci_type")) : null;
        return new ObjectAttributes.Bridge(
                pci == null ? "host" : pci.busId(),
                buses == null ? "" : buses(buses),
                xml.smallNumber("depth", 0),
                pci);
    }

    private ObjectAttributes.Pci pci(String busId, @Nullable String pciType) {
        Matcher type = pciType == null ? null : PCI_TYPE.matcher(pciType);
        if (type != null && !type.matches()) {
            throw xml.fault("pci_type=\"" + Words.quote(type.toString()) + "\" is malformed");
        }
        int classId = hex(type, 1);
        return new ObjectAttributes.Pci(
                busId,
                classId,
                PciClasses.name(classId),
                hex(type, 2),
                hex(type, 3),
                hex(type, 4),
                hex(type, 5),
                hex(type, 6),
                linkSpeed());
    }

    private static int hex(@Nullable Matcher matcher, int group) {
        String digits = matcher == null ? null : matcher.group(group);
        return digits == null ? 0 : Integer.parseInt(digits, 16);
    }

    private double linkSpeed() {
        String speed = xml.attribute("pci_link_speed");
        if (speed == null) {
            return 0;
        }
        try {
            double value = Double.parseDouble(speed);
            return Double.isFinite(value) && value >= 0 ? value : 0;
        } catch (NumberFormatException e) {
            throw xml.invalid("pci_link_speed", speed, e);
        }
    }

    private String busId(String text) {
        Matcher matcher = BUS_ID.matcher(text);
        if (!matcher.matches()) {
            throw xml.fault("pci_busid=\"" + Words.quote(text) + "\" is malformed");
        }
        StringBuilder busId = new StringBuilder(12);
        appendHex(busId, matcher.group(1), 4).append(':');
        appendHex(busId, matcher.group(2), 2).append(':');
        appendHex(busId, matcher.group(3), 2).append('.');
        return appendHex(busId, matcher.group(4), 1).toString();
    }

    /** Domains are four digits or more: those of virtual machines can be longer. */
    private static StringBuilder appendHex(StringBuilder text, String digits, int width) {
        String number = Long.toHexString(Long.parseLong(digits, 16));
        return text.append("0".repeat(Math.max(0, width - number.length()))).append(number);
    }

    private String buses(String text) {
        Matcher matcher = BRIDGE_BUSES.matcher(text);
        if (!matcher.matches()) {
            throw xml.fault("bridge_pci=\"" + Words.quote(text) + "\" is malformed");
        }
        return text.toLowerCase(Locale.ROOT);
    }

    private long size(String attribute) {
        long size = xml.number(attribute, 0);
        if (size < 0) {
            throw xml.fault(attribute + "=\"" + size + "\" is negative");
        }
        return size;
    }
}
