package org.berth.machines;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One object of a made-up machine, and how hwloc 2.x writes it. Sets are derived from PUs and memory nodes below. */
final class MachineNode {
    private static final int MANY_BITS = 1 << 20;

    final String type;
    final Map<String, String> attributes = new LinkedHashMap<>();
    final Map<String, String> infos = new LinkedHashMap<>();
    final List<MachineNode> children = new ArrayList<>();
    final List<MachineNode> memoryChildren = new ArrayList<>();
    final List<MachineNode> otherChildren = new ArrayList<>();
    final BitSet cpus = new BitSet();
    /** CPUs that are switched off, in addition to those in the tree. */
    final BitSet offlineCpus = new BitSet();

    final BitSet nodes = new BitSet();

    MachineNode(String type) {
        this.type = type;
    }

    MachineNode with(String attribute, long value) {
        return with(attribute, Long.toString(value));
    }

    MachineNode with(String attribute, String value) {
        attributes.put(attribute, value);
        return this;
    }

    int osIndex() {
        return Integer.parseInt(attributes.getOrDefault("os_index", "-1"));
    }

    /** Adds up the CPUs from the PUs on and sorts the children by their first CPU, as hwloc does. */
    void collectCpus() {
        if (type.equals("PU")) {
            cpus.set(osIndex());
        }
        for (MachineNode child : children) {
            child.collectCpus();
            cpus.or(child.cpus);
            offlineCpus.or(child.offlineCpus);
        }
        children.sort(Comparator.comparingInt(child -> child.completeCpus().nextSetBit(0)));
    }

    /**
     * Gives memory the CPUs that it hangs at, and everything the memory nodes above and below; sorts memory by node.
     */
    void collectNodes(BitSet above) {
        for (MachineNode child : memoryChildren) {
            if (!child.infos.containsKey("WithoutCpus")) {
                child.cpus.or(cpus);
                child.offlineCpus.or(offlineCpus);
            }
            child.collectNodes(new BitSet());
            nodes.or(child.nodes);
        }
        memoryChildren.sort(Comparator.comparingInt(child -> child.nodes.nextSetBit(0)));
        nodes.or(above);
        if (type.equals("NUMANode")) {
            nodes.set(osIndex());
        }
        BitSet handedDown = (BitSet) nodes.clone();
        for (MachineNode child : children) {
            child.collectNodes(handedDown);
            nodes.or(child.nodes);
        }
    }

    private BitSet completeCpus() {
        BitSet complete = (BitSet) cpus.clone();
        complete.or(offlineCpus);
        return complete;
    }

    /** Numbers the object and all below, the way hwloc's own files have a gp_index everywhere. */
    int number(int next) {
        with("gp_index", next);
        int following = next + 1;
        for (List<MachineNode> list : List.of(memoryChildren, children, otherChildren)) {
            for (MachineNode child : list) {
                following = child.number(following);
            }
        }
        return following;
    }

    void write(StringBuilder xml, String indent) {
        xml.append(indent).append("<object type=\"").append(type).append('"');
        if (!otherTypes()) {
            attribute(xml, "cpuset", mask(cpus));
            attribute(xml, "complete_cpuset", mask(completeCpus()));
            attribute(xml, "nodeset", mask(nodes));
            attribute(xml, "complete_nodeset", mask(nodes));
        }
        attributes.forEach((name, value) -> attribute(xml, name, value));
        xml.append(">\n");
        infos.forEach((name, value) -> {
            xml.append(indent).append("  <info");
            attribute(xml, "name", name);
            attribute(xml, "value", value);
            xml.append("/>\n");
        });
        for (List<MachineNode> list : List.of(memoryChildren, children, otherChildren)) {
            list.forEach(child -> child.write(xml, indent + "  "));
        }
        xml.append(indent).append("</object>\n");
    }

    private boolean otherTypes() {
        return List.of("Bridge", "PCIDev", "OSDev", "Misc").contains(type);
    }

    static void attribute(StringBuilder xml, String name, String value) {
        String escaped = value.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
        xml.append(' ').append(name).append("=\"").append(escaped).append('"');
    }

    /** hwloc's form: 32 bits between commas, highest first. */
    static String mask(BitSet bits) {
        if (bits.length() > MANY_BITS) {
            throw new IllegalArgumentException("index " + (bits.length() - 1) + " is too large");
        }
        StringBuilder mask = new StringBuilder();
        for (int part = Math.max(0, (bits.length() - 1) / 32); part >= 0; part--) {
            long value = 0;
            for (int bit = 0; bit < 32; bit++) {
                value |= bits.get(part * 32 + bit) ? 1L << bit : 0;
            }
            mask.append(String.format("0x%08x", value)).append(part == 0 ? "" : ",");
        }
        return mask.toString();
    }
}
