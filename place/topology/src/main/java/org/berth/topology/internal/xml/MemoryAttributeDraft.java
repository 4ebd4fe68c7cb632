package org.berth.topology.internal.xml;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.topology.CpuSet;
import org.berth.topology.MemoryAttribute;
import org.berth.topology.TopologyObject;
import org.jspecify.annotations.Nullable;

/** A memory attribute as read, whose objects are known only when the tree is built. */
record MemoryAttributeDraft(String name, long flags, List<Value> values) {

    /** @param initiator global index of an object, or 0 when {@code cpus} says it */
    record Value(long target, @Nullable CpuSet cpus, long initiator, long value) {}

    /** Reads the present element and leaves it. */
    static MemoryAttributeDraft read(XmlElements xml) {
        String name = xml.required("name");
        long flags = xml.number("flags", 0);
        List<Value> values = new ArrayList<>();
        while (xml.nextChild()) {
            if (xml.name().equals("memattr_value")) {
                values.add(value(xml));
            }
            xml.skip();
        }
        return new MemoryAttributeDraft(name, flags, values);
    }

    private static Value value(XmlElements xml) {
        String cpus = xml.attribute("initiator_cpuset");
        String initiator = xml.attribute("initiator_obj_gp_index");
        return new Value(
                xml.parse("target_obj_gp_index", xml.required("target_obj_gp_index"), Long::parseUnsignedLong),
                cpus == null ? null : xml.parse("initiator_cpuset", cpus, CpuSet::parseMask),
                initiator == null ? 0 : xml.parse("initiator_obj_gp_index", initiator, Long::parseUnsignedLong),
                xml.parse("value", xml.required("value"), Long::parseUnsignedLong));
    }

    /** Values of objects that are not in the tree are dropped, as hwloc does. */
    MemoryAttribute resolve(Map<Long, TopologyObject> byGlobalIndex) {
        List<MemoryAttribute.Value> resolved = new ArrayList<>();
        for (Value value : values) {
            TopologyObject target = byGlobalIndex.get(value.target);
            TopologyObject initiator = value.initiator == 0 ? null : byGlobalIndex.get(value.initiator);
            if (target == null || (value.initiator != 0 && initiator == null)) {
                continue;
            }
            CpuSet cpus = value.cpus != null ? value.cpus : initiator != null ? initiator.cpuSet() : CpuSet.empty();
            resolved.add(new MemoryAttribute.Value(target, cpus, initiator, value.value));
        }
        return new MemoryAttribute(name, flags, resolved);
    }
}
