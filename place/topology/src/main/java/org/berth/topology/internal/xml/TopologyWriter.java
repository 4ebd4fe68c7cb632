package org.berth.topology.internal.xml;

import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.berth.topology.CpuKind;
import org.berth.topology.Distances;
import org.berth.topology.MemoryAttribute;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/** Writes hwloc XML in format 2.0, which every hwloc 2.x and 3.0 reads. */
public final class TopologyWriter {
    /** Written in hwloc's form; its parser needs the length of each part. */
    private static final int NUMBERS_A_LINE = 10;

    private final Topology topology;
    private final IdentityHashMap<TopologyObject, Long> globalIndexes = new IdentityHashMap<>();
    private final XmlText xml = new XmlText();

    private TopologyWriter(Topology topology) {
        this.topology = topology;
    }

    public static String write(Topology topology) {
        return new TopologyWriter(topology).write();
    }

    private String write() {
        chooseGlobalIndexes();
        xml.header("topology", "hwloc2.dtd");
        xml.open("topology").with("version", "2.0").children();
        new ObjectWriter(xml, topology, globalIndexes).write(topology.root());
        topology.distances().forEach(this::writeDistances);
        topology.memoryAttributes().forEach(this::writeMemoryAttribute);
        topology.cpuKinds().forEach(this::writeCpuKind);
        xml.close("topology");
        return xml.toString();
    }

    /** Matrices and attributes name objects by these, so each object gets one of its own. */
    private void chooseGlobalIndexes() {
        Set<Long> used = new HashSet<>();
        topology.forEachObject(object -> {
            if (object.globalIndex() != 0 && used.add(object.globalIndex())) {
                globalIndexes.put(object, object.globalIndex());
            }
        });
        long[] next = {1};
        topology.forEachObject(object -> {
            if (!globalIndexes.containsKey(object)) {
                while (!used.add(next[0])) {
                    next[0]++;
                }
                globalIndexes.put(object, next[0]);
            }
        });
    }

    private String globalIndex(TopologyObject object) {
        Long index = globalIndexes.get(object);
        if (index == null) {
            throw new IllegalStateException(object + " is not part of the topology");
        }
        return Long.toUnsignedString(index);
    }

    private void writeDistances(Distances matrix) {
        List<TopologyObject> objects = matrix.objects();
        ObjectType type = objects.get(0).type();
        boolean mixed = objects.stream().anyMatch(object -> object.type() != type);
        boolean byOsIndex = !mixed && (type == ObjectType.PU || type == ObjectType.NUMA_NODE);
        String element = mixed ? "distances2hetero" : "distances2";
        xml.open(element);
        if (!mixed) {
            xml.with("type", type.hwlocName());
        }
        xml.with("nbobjs", objects.size()).with("kind", matrix.kind());
        if (!matrix.name().isEmpty()) {
            xml.with("name", matrix.name());
        }
        if (!mixed) {
            xml.with("indexing", byOsIndex ? "os" : "gp");
        }
        xml.children();
        writeNumbers("indexes", objects.size(), i -> {
            TopologyObject object = objects.get(i);
            String index = byOsIndex ? Integer.toString(object.osIndex()) : globalIndex(object);
            return mixed ? object.type().hwlocName() + ":" + index : index;
        });
        int size = objects.size();
        writeNumbers("u64values", size * size, i -> Long.toUnsignedString(matrix.value(i / size, i % size)));
        xml.close(element);
    }

    private void writeNumbers(String element, int count, IntFunction<String> number) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < count; i++) {
            line.append(number.apply(i)).append(' ');
            if ((i + 1) % NUMBERS_A_LINE == 0 || i + 1 == count) {
                xml.open(element).with("length", line.length()).text(line.toString());
                line.setLength(0);
            }
        }
    }

    private void writeMemoryAttribute(MemoryAttribute attribute) {
        xml.open("memattr").with("name", attribute.name()).with("flags", attribute.flags());
        if (attribute.values().isEmpty()) {
            xml.end();
            return;
        }
        xml.children();
        for (MemoryAttribute.Value value : attribute.values()) {
            xml.open("memattr_value")
                    .with("target_obj_type", value.target().type().hwlocName())
                    .with("target_obj_gp_index", globalIndex(value.target()))
                    .with("value", Long.toUnsignedString(value.value()));
            TopologyObject from = value.initiatorObject();
            if (from != null) {
                xml.with("initiator_obj_gp_index", globalIndex(from))
                        .with("initiator_obj_type", from.type().hwlocName());
            } else if (!value.initiator().isEmpty()) {
                xml.with("initiator_cpuset", value.initiator().toMaskString());
            }
            xml.end();
        }
        xml.close("memattr");
    }

    private void writeCpuKind(CpuKind kind) {
        xml.open("cpukind").with("cpuset", kind.cpus().toMaskString());
        if (kind.forcedEfficiency() >= 0) {
            xml.with("forced_efficiency", kind.forcedEfficiency());
        }
        if (kind.infos().isEmpty()) {
            xml.end();
            return;
        }
        xml.children();
        kind.infos().forEach((name, value) -> xml.info(name, value));
        xml.close("cpukind");
    }
}
