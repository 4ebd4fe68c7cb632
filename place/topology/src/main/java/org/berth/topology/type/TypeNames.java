package org.berth.topology.type;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.topology.type.ObjectAttributes.DeviceKind;

/** The names that hwloc reads for types of objects and kinds of devices ({@code hwloc_type_sscanf}), in lower case. It is not part of the API. */
public final class TypeNames {
    private static final Pattern CACHE = Pattern.compile("l([1-5])([diu]?)(c|ca|cac|cach|cache)?");
    private static final Pattern GROUP = Pattern.compile("(gr|gro|grou|group)(\\d{0,9})");

    /**
     * A name that may be cut off behind its first letters.
     *
     * @param shortest number of letters that must be there
     */
    private record Name(String whole, int shortest) {
        boolean matches(String text) {
            return text.length() >= shortest && whole.startsWith(text);
        }
    }

    private record TypeName(ObjectType type, Name name) {}

    private record KindName(DeviceKind kind, Name name) {}

    /** In hwloc's order: "co-p" is a device, not a core. */
    private static final List<KindName> KINDS = List.of(
            kind(DeviceKind.STORAGE, "storage", 4),
            kind(DeviceKind.STORAGE, "block", 4),
            kind(DeviceKind.MEMORY, "memory", 3),
            kind(DeviceKind.NETWORK, "network", 3),
            kind(DeviceKind.OPENFABRICS, "ofed", 4),
            kind(DeviceKind.OPENFABRICS, "openfabrics", 7),
            kind(DeviceKind.DMA, "dma", 3),
            kind(DeviceKind.GPU, "gpu", 3),
            kind(DeviceKind.COPROCESSOR, "coproc", 5),
            kind(DeviceKind.COPROCESSOR, "co-processor", 6));

    private static final List<TypeName> TYPES = List.of(
            type(ObjectType.MACHINE, "machine", 2),
            type(ObjectType.NUMA_NODE, "numanode", 2),
            type(ObjectType.NUMA_NODE, "node", 2),
            type(ObjectType.MEMORY_CACHE, "memcache", 5),
            type(ObjectType.MEMORY_CACHE, "memorycache", 11),
            type(ObjectType.MEMORY_CACHE, "memory-side cache", 8),
            type(ObjectType.PACKAGE, "package", 2),
            type(ObjectType.PACKAGE, "socket", 2),
            type(ObjectType.DIE, "die", 2),
            type(ObjectType.CORE, "core", 2),
            type(ObjectType.PU, "pu", 2),
            type(ObjectType.MISC, "misc", 4),
            type(ObjectType.BRIDGE, "bridge", 4),
            type(ObjectType.BRIDGE, "hostbridge", 6),
            type(ObjectType.BRIDGE, "pcibridge", 5),
            type(ObjectType.PCI_DEVICE, "pcidev", 3),
            type(ObjectType.OS_DEVICE, "osdev", 2));

    private TypeNames() {}

    private static KindName kind(DeviceKind kind, String whole, int shortest) {
        return new KindName(kind, new Name(whole, shortest));
    }

    private static TypeName type(ObjectType type, String whole, int shortest) {
        return new TypeName(type, new Name(whole, shortest));
    }

    static Optional<ObjectType> type(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        if (kind(wanted).isPresent()) {
            return Optional.of(ObjectType.OS_DEVICE);
        }
        for (TypeName one : TYPES) {
            if (one.name.matches(wanted)) {
                return Optional.of(one.type);
            }
        }
        Matcher cache = CACHE.matcher(wanted);
        if (cache.matches()) {
            return cache(cache.group(1), cache.group(2).equals("i"));
        }
        return GROUP.matcher(wanted).matches() ? Optional.of(ObjectType.GROUP) : Optional.empty();
    }

    private static Optional<ObjectType> cache(String level, boolean instructions) {
        return switch (instructions ? level + "i" : level) {
            case "1" -> Optional.of(ObjectType.L1_CACHE);
            case "2" -> Optional.of(ObjectType.L2_CACHE);
            case "3" -> Optional.of(ObjectType.L3_CACHE);
            case "4" -> Optional.of(ObjectType.L4_CACHE);
            case "5" -> Optional.of(ObjectType.L5_CACHE);
            case "1i" -> Optional.of(ObjectType.L1I_CACHE);
            case "2i" -> Optional.of(ObjectType.L2I_CACHE);
            case "3i" -> Optional.of(ObjectType.L3I_CACHE);
            default -> Optional.empty();
        };
    }

    /** The kind of OS device that a name stands for; empty for all other names. */
    public static Optional<DeviceKind> kind(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        return KINDS.stream()
                .filter(one -> one.name.matches(wanted))
                .map(KindName::kind)
                .findFirst();
    }

    /** The number of "group1"; empty when all groups are meant. */
    public static Optional<Integer> groupDepth(String name) {
        Matcher group = GROUP.matcher(name.toLowerCase(Locale.ROOT));
        return group.matches() && !group.group(2).isEmpty()
                ? Optional.of(Integer.parseInt(group.group(2)))
                : Optional.empty();
    }
}
