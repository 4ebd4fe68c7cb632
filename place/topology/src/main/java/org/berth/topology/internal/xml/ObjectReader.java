package org.berth.topology.internal.xml;

import java.util.TreeMap;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.ObjectDraft;
import org.berth.topology.internal.bits.Bitmap;
import org.berth.topology.type.Info;
import org.berth.topology.type.ObjectType;
import org.jspecify.annotations.Nullable;

/** Reads the object elements with everything in them. */
final class ObjectReader {
    /** A machine with 2,048 PUs has about 10,000 objects. */
    static final int MAX_OBJECTS = 200_000;

    private final XmlElements xml;
    private final int version;
    private int count;

    ObjectReader(XmlElements xml, int version) {
        this.xml = xml;
        this.version = version;
    }

    /** Reads the present object element and leaves it. */
    ObjectDraft read() {
        return read(null);
    }

    private ObjectDraft read(@Nullable ObjectDraft parent) {
        if (++count > MAX_OBJECTS) {
            throw xml.fault("is one more than the limit of " + MAX_OBJECTS + " objects");
        }
        ObjectType type = type();
        if (parent != null) {
            checkPlace(type, parent.type);
        }
        ObjectDraft draft = new ObjectDraft(type, xml.line());
        readIdentity(draft);
        if (!type.isIo() && type != ObjectType.MISC) {
            readSets(draft);
        }
        ObjectAttributesReader attributes = new ObjectAttributesReader(xml, draft, version);
        TreeMap<Long, Long> pages = new TreeMap<>();
        while (xml.nextChild()) {
            switch (xml.name()) {
                case "object" -> {
                    ObjectDraft child = read(draft);
                    draft.listFor(child.type).add(child);
                }
                case "info" -> {
                    draft.infos.add(readInfo(xml));
                    xml.skip();
                }
                case "page_type" -> {
                    long size = xml.number("size", 0);
                    if (size > 0) {
                        pages.put(size, xml.number("count", 0));
                    }
                    xml.skip();
                }
                default -> xml.skip();
            }
        }
        draft.attributes = attributes.finish(pages);
        return draft;
    }

    private ObjectType type() {
        String name = xml.required("type");
        return switch (name) {
            case "System" -> throw xml.fault("has a type of hwloc 1.x");
            case "Tile", "Module", "Cluster" -> ObjectType.GROUP;
            default -> {
                // hwloc 2.0 had no dies and wrote them as groups.
                boolean die = name.equals("Group") && "Die".equals(xml.attribute("subtype"));
                yield die ? ObjectType.DIE : byName(name);
            }
        };
    }

    private ObjectType byName(String name) {
        for (ObjectType type : ObjectType.values()) {
            if (type.hwlocName().equals(name)) {
                return type;
            }
        }
        throw xml.fault("has the unknown type \"" + Words.quote(name) + "\"");
    }

    private void checkPlace(ObjectType type, ObjectType parent) {
        boolean fits;
        if (type == ObjectType.MACHINE) {
            fits = false;
        } else if (type.isNormal()) {
            fits = parent.isNormal() && parent != ObjectType.PU;
        } else if (type.isMemory()) {
            fits = parent.isNormal() || parent == ObjectType.MEMORY_CACHE;
        } else if (type.isIo()) {
            fits = parent.isNormal() || parent.isIo();
        } else {
            fits = true;
        }
        if (!fits) {
            throw xml.fault(type.hwlocName() + " cannot be inside " + parent.hwlocName());
        }
    }

    private void readIdentity(ObjectDraft draft) {
        draft.osIndex = osIndex(draft.type);
        if (draft.type == ObjectType.MACHINE && draft.osIndex < 0) {
            // hwloc creates the root with this number before it reads the file.
            draft.osIndex = 0;
        }
        draft.globalIndex = globalIndex();
        draft.name = xml.attribute("name");
        draft.subtype = xml.attribute("subtype");
    }

    private int osIndex(ObjectType type) {
        boolean indexed = type == ObjectType.PU || type == ObjectType.NUMA_NODE;
        String text = indexed ? xml.required("os_index") : xml.attribute("os_index");
        if (text == null) {
            return -1;
        }
        long value = xml.number("os_index", -1);
        if (indexed && (value < 0 || value > Bitmap.MAX_INDEX)) {
            throw xml.fault("os_index=\"" + value + "\" is not between 0 and " + Bitmap.MAX_INDEX);
        }
        // Cores and packages of some firmware have large numbers, which nothing is looked up by.
        return value < 0 || value > Integer.MAX_VALUE ? -1 : (int) value;
    }

    private long globalIndex() {
        String index = xml.attribute("gp_index");
        String id = xml.attribute("id");
        if (index == null && id != null && id.startsWith("obj")) {
            index = id.substring(3);
        }
        if (index == null) {
            return 0;
        }
        try {
            return Long.parseUnsignedLong(index);
        } catch (NumberFormatException e) {
            throw xml.invalid("gp_index", index, e);
        }
    }

    private void readSets(ObjectDraft draft) {
        String cpus = xml.required("cpuset");
        String nodes = xml.required("nodeset");
        draft.cpus = cpus("cpuset", cpus);
        draft.nodes = nodes("nodeset", nodes);
        // A complete set has at least the present ones, whatever the file says; nearly always it is the same text.
        String complete = xml.attribute("complete_cpuset");
        draft.completeCpus = complete == null || complete.equals(cpus)
                ? draft.cpus
                : cpus("complete_cpuset", complete).union(draft.cpus);
        String completeNodes = xml.attribute("complete_nodeset");
        draft.completeNodes = completeNodes == null || completeNodes.equals(nodes)
                ? draft.nodes
                : nodes("complete_nodeset", completeNodes).union(draft.nodes);
        if (draft.type == ObjectType.MACHINE) {
            String allowed = xml.attribute("allowed_cpuset");
            draft.allowedCpus = allowed == null ? null : cpus("allowed_cpuset", allowed);
            String allowedNodes = xml.attribute("allowed_nodeset");
            draft.allowedNodes = allowedNodes == null ? null : nodes("allowed_nodeset", allowedNodes);
        }
    }

    private CpuSet cpus(String attribute, String text) {
        CpuSet set;
        try {
            set = CpuSet.parseMask(text);
        } catch (IllegalArgumentException e) {
            throw xml.invalid(attribute, text, e);
        }
        if (set.isInfinite() && !attribute.equals("complete_cpuset") && !attribute.startsWith("allowed")) {
            throw xml.fault(attribute + "=\"" + Words.quote(text) + "\" is infinite");
        }
        return set;
    }

    private NodeSet nodes(String attribute, String text) {
        NodeSet set;
        try {
            set = NodeSet.parseMask(text);
        } catch (IllegalArgumentException e) {
            throw xml.invalid(attribute, text, e);
        }
        if (set.isInfinite() && !attribute.equals("complete_nodeset") && !attribute.startsWith("allowed")) {
            throw xml.fault(attribute + "=\"" + Words.quote(text) + "\" is infinite");
        }
        return set;
    }

    /** Reads the present info element. */
    static Info readInfo(XmlElements xml) {
        String value = xml.attribute("value");
        return new Info(xml.required("name"), value == null ? "" : value);
    }
}
