package org.berth.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.berth.topology.internal.bits.Bitmap;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;
import org.jspecify.annotations.Nullable;

/** The objects with the indexes to find them at once; shared by topologies that differ only in what is allowed. It is not part of the API. */
public final class TopologyTree {
    final TopologyObject root;
    final List<List<TopologyObject>> levels;
    private final Map<ObjectType, List<TopologyObject>> byType = new EnumMap<>(ObjectType.class);
    private final @Nullable TopologyObject[] pus;
    private final @Nullable TopologyObject[] numaNodes;
    private final Map<String, TopologyObject> devices;

    public TopologyTree(ObjectDraft rootDraft, LevelBuilder builder) {
        root = new TopologyObject(rootDraft, null);
        List<List<TopologyObject>> builtLevels = new ArrayList<>();
        for (ObjectType type : ObjectType.values()) {
            byType.put(type, built(builder.special(type)));
        }
        for (List<ObjectDraft> level : builder.levels()) {
            List<TopologyObject> objects = built(level);
            builtLevels.add(objects);
            ObjectType type = objects.get(0).type();
            List<TopologyObject> all = new ArrayList<>(objects(type));
            all.addAll(objects);
            byType.put(type, List.copyOf(all));
        }
        levels = List.copyOf(builtLevels);
        pus = indexed(objects(ObjectType.PU));
        numaNodes = indexed(objects(ObjectType.NUMA_NODE));
        devices = devices();
    }

    private static List<TopologyObject> built(List<ObjectDraft> drafts) {
        List<TopologyObject> objects = new ArrayList<>(drafts.size());
        for (ObjectDraft draft : drafts) {
            objects.add(draft.built());
        }
        return List.copyOf(objects);
    }

    private static @Nullable TopologyObject[] indexed(List<TopologyObject> objects) {
        int last = -1;
        for (TopologyObject object : objects) {
            last = Math.max(last, object.osIndex());
        }
        @Nullable TopologyObject[] array = new TopologyObject[last + 1];
        for (TopologyObject object : objects) {
            array[object.osIndex()] = object;
        }
        return array;
    }

    private Map<String, TopologyObject> devices() {
        Map<String, TopologyObject> names = new HashMap<>();
        for (TopologyObject device : objects(ObjectType.OS_DEVICE)) {
            Optional<String> name = device.name();
            if (name.isPresent()) {
                names.putIfAbsent(name.get(), device);
            }
        }
        for (TopologyObject device : objects(ObjectType.PCI_DEVICE)) {
            if (device.attributes() instanceof ObjectAttributes.Pci pci) {
                names.putIfAbsent(pci.busId(), device);
            }
        }
        return names;
    }

    List<TopologyObject> objects(ObjectType type) {
        return byType.getOrDefault(type, List.of());
    }

    @Nullable
    TopologyObject pu(int osIndex) {
        return osIndex >= 0 && osIndex < pus.length ? pus[osIndex] : null;
    }

    @Nullable
    TopologyObject numaNode(int osIndex) {
        return osIndex >= 0 && osIndex < numaNodes.length ? numaNodes[osIndex] : null;
    }

    @Nullable
    public TopologyObject byOsIndex(ObjectType type, long osIndex) {
        int index = osIndex < 0 || osIndex > Bitmap.MAX_INDEX ? -1 : (int) osIndex;
        return switch (type) {
            case PU -> pu(index);
            case NUMA_NODE -> numaNode(index);
            default -> null;
        };
    }

    @Nullable
    TopologyObject device(String nameBusIdOrPath) {
        if (!nameBusIdOrPath.startsWith("/")) {
            return namedDevice(nameBusIdOrPath);
        }
        // Device files and the kernel's directories end in the name; partitions add a number to that of their disk.
        String path = nameBusIdOrPath.endsWith("/")
                ? nameBusIdOrPath.substring(0, nameBusIdOrPath.length() - 1)
                : nameBusIdOrPath;
        String name = path.substring(path.lastIndexOf('/') + 1);
        TopologyObject device = namedDevice(name);
        if (device == null && path.startsWith("/dev/")) {
            device = namedDevice(name.replaceFirst("(?<=\\d)p\\d+$", ""));
        }
        if (device == null && path.startsWith("/dev/")) {
            device = namedDevice(name.replaceFirst("\\d+$", ""));
        }
        return device;
    }

    private @Nullable TopologyObject namedDevice(String nameOrBusId) {
        TopologyObject device = devices.get(nameOrBusId);
        if (device == null) {
            String busId = nameOrBusId.toLowerCase(Locale.ROOT);
            device = devices.get(busId);
            if (device == null) {
                device = devices.get("0000:" + busId);
            }
        }
        return device;
    }

    /** Smallest normal object that holds all the CPUs: the way up from any of their PUs is short. */
    @Nullable
    TopologyObject covering(CpuSet cpus) {
        TopologyObject object = pu(cpus.first());
        while (object != null && !object.cpuSet().containsAll(cpus)) {
            object = object.parentOrNull();
        }
        return object;
    }

    void forEach(Consumer<TopologyObject> action) {
        byType.values().forEach(objects -> objects.forEach(action));
    }

    /** All objects, in one list for each type that there is. */
    public Collection<List<TopologyObject>> byType() {
        return Collections.unmodifiableCollection(byType.values());
    }
}
