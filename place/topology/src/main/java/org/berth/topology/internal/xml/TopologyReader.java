package org.berth.topology.internal.xml;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.text.Words;
import org.berth.topology.CpuKind;
import org.berth.topology.CpuSet;
import org.berth.topology.Distances;
import org.berth.topology.LevelBuilder;
import org.berth.topology.MemoryAttribute;
import org.berth.topology.NodeSet;
import org.berth.topology.ObjectDraft;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.TopologyTree;
import org.berth.topology.type.Info;
import org.jspecify.annotations.Nullable;

/** The top of the file: the tree of objects and what refers to it. */
public final class TopologyReader {
    /** No machine has more kinds of CPUs than CPUs; real ones have up to four kinds and ten attributes and matrices. */
    static final int MAX_SECTIONS = 1 << 13;

    private final XmlElements xml;
    private final List<Info> infos = new ArrayList<>();
    private final List<CpuKind> cpuKinds = new ArrayList<>();
    private final List<DistancesDraft> distances = new ArrayList<>();
    private final List<MemoryAttributeDraft> memoryAttributes = new ArrayList<>();

    public TopologyReader(XmlElements xml) {
        this.xml = xml;
    }

    public Topology read() {
        if (!xml.nextChild()) {
            throw xml.fault("no XML element");
        }
        if (!xml.name().equals("topology")) {
            throw xml.fault("is not an hwloc topology");
        }
        int version = majorVersion(xml.attribute("version"));
        ObjectDraft root = null;
        while (xml.nextChild()) {
            if (xml.name().equals("object")) {
                if (root != null) {
                    throw xml.fault("second root object");
                }
                root = new ObjectReader(xml, version).read();
            } else {
                readSection();
            }
        }
        if (root == null) {
            throw xml.fault("the topology has no object");
        }
        xml.finish();
        return build(root);
    }

    private int majorVersion(@Nullable String version) {
        if (version != null && version.startsWith("2.")) {
            return 2;
        }
        if (version != null && version.startsWith("3.")) {
            return 3;
        }
        String found = version == null ? "no version (hwloc 1.x)" : "version " + Words.quote(version);
        throw xml.fault("has " + found + "; 2.x and 3.x can be read: export it again with a newer lstopo");
    }

    private void readSection() {
        if (cpuKinds.size() + distances.size() + memoryAttributes.size() == MAX_SECTIONS) {
            throw xml.fault(
                    "is beyond the limit of " + MAX_SECTIONS + " matrices, memory attributes and kinds of CPUs");
        }
        switch (xml.name()) {
            case "info" -> {
                infos.add(ObjectReader.readInfo(xml));
                xml.skip();
            }
            case "distances2" -> distances.add(DistancesDraft.read(xml, false));
            case "distances2hetero" -> distances.add(DistancesDraft.read(xml, true));
            case "memattr" -> memoryAttributes.add(MemoryAttributeDraft.read(xml));
            case "cpukind" -> cpuKinds.add(CpuKinds.read(xml));
            default -> xml.skip();
        }
    }

    private Topology build(ObjectDraft root) {
        TreeChecker.complete(root);
        TreeChecker.check(root);
        // Format 3 has them apart, format 2 in the root object.
        for (Info info : infos) {
            if (!root.infos.contains(info)) {
                root.infos.add(info);
            }
        }
        TopologyTree tree = new TopologyTree(root, new LevelBuilder(root));
        Map<Long, TopologyObject> byGlobalIndex = new HashMap<>();
        for (List<TopologyObject> objects : tree.byType()) {
            for (TopologyObject object : objects) {
                byGlobalIndex.putIfAbsent(object.globalIndex(), object);
            }
        }
        CpuSet allowedCpus = root.allowedCpus == null ? root.cpus : root.allowedCpus.intersection(root.cpus);
        NodeSet allowedNodes = root.allowedNodes == null ? root.nodes : root.allowedNodes.intersection(root.nodes);
        List<Distances> matrices = new ArrayList<>();
        for (DistancesDraft draft : distances) {
            Optional<Distances> matrix = draft.resolve(tree, byGlobalIndex);
            if (matrix.isPresent()) {
                matrices.add(matrix.get());
            }
        }
        List<MemoryAttribute> attributes = new ArrayList<>();
        for (MemoryAttributeDraft draft : memoryAttributes) {
            attributes.add(draft.resolve(byGlobalIndex));
        }
        return new Topology(
                tree,
                allowedCpus,
                allowedNodes,
                List.copyOf(matrices),
                CpuKinds.ranked(cpuKinds),
                List.copyOf(attributes));
    }
}
