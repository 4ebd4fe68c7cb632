package org.berth.spark.ui;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.berth.spark.status.ClusterStatus;
import org.berth.text.Words;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectAttributes.Cache;
import org.berth.topology.type.ObjectAttributes.CacheKind;
import org.berth.topology.type.ObjectAttributes.DeviceKind;
import org.berth.topology.type.ObjectAttributes.NumaNode;
import org.berth.topology.type.ObjectAttributes.OsDevice;
import org.berth.topology.type.ObjectType;
import scala.xml.Node;

/**
 * The picture of a machine with its executors: nested boxes that wrap at the width of the window, unlike the fixed
 * picture of {@code berth topo --svg}. Each PU is a cell with the executor that has it and the tasks that run there. A
 * pure function.
 */
final class UiMachine {
    /** More cells are slow in a browser and hard to read: then each core is one cell. */
    private static final int MAX_PUS = 1024;

    private final UiOccupation occupation;
    private final boolean foldCores;

    private UiMachine(Topology topology, UiOccupation occupation) {
        this.occupation = occupation;
        this.foldCores = topology.count(ObjectType.PU) > MAX_PUS;
    }

    static Node draw(Topology topology, List<ClusterStatus.Executor> executors) {
        UiMachine picture = new UiMachine(topology, UiOccupation.of(topology.cpuSet(), executors));
        return picture.block(topology.root(), "machine");
    }

    /** How many packages, cores, PUs and nodes the machine has, by their names in the JSON. */
    static Map<String, Integer> counts(Topology topology) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        counts.put("packages", topology.count(ObjectType.PACKAGE));
        counts.put("cores", topology.count(ObjectType.CORE));
        counts.put("pus", topology.count(ObjectType.PU));
        counts.put("numaNodes", topology.count(ObjectType.NUMA_NODE));
        return counts;
    }

    private Node block(TopologyObject object, String style) {
        return box(style, UiNodes.leaf("div", title(object), "class", "title"), object);
    }

    /** A box with bars for memory, then the children side by side, then devices. */
    private Node box(String style, Node title, TopologyObject object) {
        List<Node> bars = new ArrayList<>();
        bars.add(title);
        List<Node> inside = new ArrayList<>();
        List<Node> devices = new ArrayList<>();
        fill(object, bars, inside, devices);
        bars.add(UiNodes.element("div", inside, "class", "inside"));
        bars.addAll(devices);
        return UiNodes.element("div", bars, "class", style);
    }

    private void fill(TopologyObject object, List<Node> bars, List<Node> inside, List<Node> devices) {
        object.memoryChildren().forEach(memory -> addMemory(memory, bars));
        for (TopologyObject child : object.children()) {
            addChild(child, bars, inside, devices);
        }
        String names = devices(object);
        if (!names.isEmpty()) {
            devices.add(UiNodes.leaf("div", names, "class", "bar device"));
        }
    }

    private void addChild(TopologyObject child, List<Node> bars, List<Node> inside, List<Node> devices) {
        boolean cache = child.attributes() instanceof Cache;
        if (child.type() == ObjectType.PU || (foldCores && child.type() == ObjectType.CORE)) {
            inside.add(occupation.cell(child));
        } else if (cache ? !isShared(child) : isPlain(child)) {
            fill(child, bars, inside, devices);
        } else if (child.attributes() instanceof Cache shared) {
            String size = shared.sizeBytes() > 0 ? " " + UiText.bytes(shared.sizeBytes()) : "";
            inside.add(box("box", UiNodes.leaf("div", "L" + shared.depth() + size, "class", "bar cache"), child));
        } else {
            inside.add(block(child, child.type() == ObjectType.CORE ? "box core" : "box"));
        }
    }

    /** Not drawn: a core with one PU adds nothing to the PU, and hwloc's groups without a name only structure memory. */
    private static boolean isPlain(TopologyObject object) {
        return object.type() == ObjectType.CORE
                ? object.children().size() == 1
                : object.type() == ObjectType.GROUP
                        && object.subtype().isEmpty()
                        && object.memoryChildren().isEmpty();
    }

    /** Caches of a single core and instruction caches are not drawn. */
    private static boolean isShared(TopologyObject object) {
        return object.attributes() instanceof Cache cache
                && cache.kind() != CacheKind.INSTRUCTION
                && hasSeveralCores(object);
    }

    private static boolean hasSeveralCores(TopologyObject object) {
        return object.children().size() > 1
                ? object.type() != ObjectType.CORE
                : object.children().stream().anyMatch(UiMachine::hasSeveralCores);
    }

    private void addMemory(TopologyObject memory, List<Node> inside) {
        if (memory.type() == ObjectType.NUMA_NODE) {
            StringJoiner label = new StringJoiner(" · ");
            label.add("NUMA node " + memory.osIndex());
            if (memory.attributes() instanceof NumaNode node && node.localMemoryBytes() > 0) {
                label.add(UiText.bytes(node.localMemoryBytes()));
            }
            memory.subtype().ifPresent(label::add);
            inside.add(UiNodes.leaf("div", label.toString(), "class", "bar memory"));
        }
        memory.memoryChildren().forEach(child -> addMemory(child, inside));
    }

    private static String title(TopologyObject object) {
        Optional<String> model = Optional.ofNullable(object.infos().get("CPUModel"));
        String name = object.type().name().toLowerCase(Locale.ROOT);
        return switch (object.type()) {
            case MACHINE -> "Machine";
            case PACKAGE ->
                "Package " + object.logicalIndex()
                        + model.map(text -> " · " + text).orElse("");
            case CORE -> "Core " + object.logicalIndex();
            case GROUP -> object.subtype().orElse("Group") + " " + object.logicalIndex();
            default -> Words.capital(name) + " " + object.logicalIndex();
        };
    }

    /** The network cards, disks and accelerators of this object, without those of its children. */
    private static String devices(TopologyObject object) {
        StringJoiner names = new StringJoiner(", ");
        object.ioChildren().forEach(device -> addDevices(device, names));
        return names.toString();
    }

    private static void addDevices(TopologyObject device, StringJoiner names) {
        if (device.attributes() instanceof OsDevice os
                && os.kinds().stream().anyMatch(kind -> kind != DeviceKind.DMA && kind != DeviceKind.MEMORY)) {
            device.name().ifPresent(names::add);
        }
        device.ioChildren().forEach(child -> addDevices(child, names));
    }
}
