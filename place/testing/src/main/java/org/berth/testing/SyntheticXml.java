package org.berth.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.type.ObjectType;
import org.jspecify.annotations.Nullable;

/**
 * Makes hwloc XML of a synthetic description, as hwloc does: levels with the number of children, the last of them PUs, and memory nodes at
 * one level, by {@code [numa]} behind it or as a level of their own. PUs and nodes are numbered in the order of the tree.
 *
 * @see <a href="https://www.open-mpi.org/projects/hwloc/doc/v2.9.3/a00369.php">Synthetic topologies</a>
 */
final class SyntheticXml {
    private static final Pattern ITEM =
            Pattern.compile("\\s*(?:\\[\\s*(\\w+)(?:\\(([^)]*)\\))?\\s*\\]|(\\w+):(\\d{1,6})(?:\\(([^)]*)\\))?)\\s*");
    private static final Pattern MEMORY = Pattern.compile("memory=(\\d{1,12})([kKmMgGtT][iI]?[bB])?");
    private static final String UNITS = "kmgt";
    private static final long USUAL_MEMORY_BYTES = 1L << 30;
    private static final int MOST_PUS = 8_192;

    /** The level behind which memory nodes are; -1 for the machine. */
    private int memoryLevel = -1;

    private final List<ObjectType> types = new ArrayList<>();
    private final List<Integer> counts = new ArrayList<>();
    private final String description;
    private long memoryBytes = USUAL_MEMORY_BYTES;
    private boolean memorySeen;
    private int pus;
    private int nodes;
    private long ids;

    private SyntheticXml(String description) {
        this.description = description;
    }

    /** @throws IllegalArgumentException one line, with what is not understood */
    static String of(String description) {
        SyntheticXml machine = new SyntheticXml(description);
        machine.parse();
        return machine.write();
    }

    private IllegalArgumentException fault(String reason) {
        return new IllegalArgumentException(
                "the machine \"" + description + "\" " + reason + "; an example is \"pack:2 [numa] l3:1 core:4 pu:2\"");
    }

    private void parse() {
        Matcher item = ITEM.matcher(description);
        int at = 0;
        long all = 1;
        while (at < description.length()) {
            if (!item.region(at, description.length()).lookingAt()) {
                throw fault(
                        "is not understood at \"" + description.substring(at) + "\": name each level, as in core:4");
            }
            at = item.end();
            if (item.group(1) != null) {
                attach(item.group(1), item.group(2));
                continue;
            }
            ObjectType type = type(item.group(3));
            int count = Integer.parseInt(item.group(4));
            all *= count;
            if (count < 1 || all > MOST_PUS) {
                throw fault("has no object in a level, or more than " + MOST_PUS);
            }
            if (type == ObjectType.NUMA_NODE) {
                nodeLevel(count, item.group(5));
            } else if (item.group(5) != null) {
                throw fault("has the attributes \"" + item.group(5) + "\" of " + item.group(3)
                        + ", where only memory= of a memory node is understood");
            } else {
                types.add(type);
                counts.add(count);
            }
        }
        if (types.isEmpty() || types.get(types.size() - 1) != ObjectType.PU) {
            throw fault("does not end with a level of PUs");
        }
    }

    private ObjectType type(String name) {
        Optional<ObjectType> type = ObjectType.named(name);
        if (type.isEmpty()
                || !(type.get().isNormal() || type.get() == ObjectType.NUMA_NODE)
                || type.get() == ObjectType.MACHINE) {
            throw fault("has the level \"" + name + "\", which no machine has");
        }
        return type.get();
    }

    private void attach(String name, @Nullable String attributes) {
        if (type(name) != ObjectType.NUMA_NODE) {
            throw fault("has " + name + " in brackets, where only memory nodes are");
        }
        requireOneMemory(attributes);
        memoryLevel = types.size() - 1;
    }

    /** Several nodes have a group each, as in hwloc; a single one belongs to its parent. */
    private void nodeLevel(int count, @Nullable String attributes) {
        requireOneMemory(attributes);
        if (count > 1) {
            types.add(ObjectType.GROUP);
            counts.add(count);
        }
        memoryLevel = types.size() - 1;
    }

    private void requireOneMemory(@Nullable String attributes) {
        if (memorySeen) {
            throw fault("has memory nodes at several levels");
        }
        memorySeen = true;
        if (attributes == null) {
            return;
        }
        Matcher size = MEMORY.matcher(attributes);
        if (!size.matches()) {
            throw fault("has the attributes \"" + attributes + "\", where only memory= with a size is understood");
        }
        if (!attributes.isEmpty()) {
            String unit = size.group(2) == null ? "" : size.group(2).toLowerCase(Locale.ROOT);
            long factor = 1;
            for (int i = 0; !unit.isEmpty() && i <= UNITS.indexOf(unit.charAt(0)); i++) {
                factor *= unit.length() == 3 ? 1024 : 1000;
            }
            memoryBytes = Long.parseLong(size.group(1)) * factor;
        }
    }

    private String write() {
        Part machine = part(-1, ObjectType.MACHINE);
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">\n"
                + machine.xml(NodeSet.empty())
                + "</topology>\n";
    }

    /** An object with what is in it; the memory nodes near it are known when the whole is. */
    private record Part(
            ObjectType type, String attributes, CpuSet cpus, NodeSet nodes, String memory, List<Part> children) {
        String xml(NodeSet inherited) {
            NodeSet near = nodes.isEmpty() ? inherited : nodes;
            String sets = " cpuset=\"" + cpus.toMaskString() + "\" complete_cpuset=\"" + cpus.toMaskString()
                    + "\" nodeset=\"" + near.toMaskString() + "\" complete_nodeset=\"" + near.toMaskString() + "\"";
            String allowed = type == ObjectType.MACHINE
                    ? " allowed_cpuset=\"" + cpus.toMaskString() + "\" allowed_nodeset=\"" + near.toMaskString() + "\""
                    : "";
            StringBuilder text = new StringBuilder(
                    "<object type=\"" + type.hwlocName() + "\"" + attributes + sets + allowed + ">\n");
            if (!memory.isEmpty()) {
                text.append("<object type=\"NUMANode\"")
                        .append(memory)
                        .append(sets)
                        .append("/>\n");
            }
            for (Part child : children) {
                text.append(child.xml(near));
            }
            return text.append("</object>\n").toString();
        }
    }

    private Part part(int level, ObjectType type) {
        String id = " gp_index=\"" + ++ids + "\"";
        String memory = "";
        NodeSet own = NodeSet.empty();
        if (level == memoryLevel) {
            memory = " os_index=\"" + nodes + "\" gp_index=\"" + ++ids + "\" local_memory=\"" + memoryBytes + "\"";
            own = NodeSet.of(nodes++);
        }
        if (level == types.size() - 1) {
            int number = pus++;
            return new Part(
                    ObjectType.PU, id + " os_index=\"" + number + "\"", CpuSet.of(number), own, memory, List.of());
        }
        List<Part> children = new ArrayList<>();
        CpuSet cpus = CpuSet.empty();
        for (int i = 0; i < counts.get(level + 1); i++) {
            Part child = part(level + 1, types.get(level + 1));
            children.add(child);
            cpus = cpus.union(child.cpus());
            own = own.union(child.nodes());
        }
        return new Part(type, id + attributes(type), cpus, own, memory, children);
    }

    private static String attributes(ObjectType type) {
        if (type.isCache()) {
            int depth = type.hwlocName().charAt(1) - '0';
            long size = depth == 1 ? 32L << 10 : 256L << (10 + 2 * depth);
            return " cache_size=\"" + size + "\" depth=\"" + depth
                    + "\" cache_linesize=\"64\" cache_associativity=\"0\"" + " cache_type=\""
                    + (type.isInstructionCache() ? 2 : 0) + "\"";
        }
        return type == ObjectType.GROUP ? " kind=\"10\" subkind=\"0\"" : "";
    }
}
