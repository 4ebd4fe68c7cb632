package org.berth.topology.diff;

import java.util.List;
import java.util.Optional;
import org.berth.topology.diff.TopologyDiff.Change;
import org.berth.topology.diff.TopologyDiff.Kind;
import org.berth.topology.internal.xml.XmlElements;
import org.berth.topology.internal.xml.XmlText;
import org.jspecify.annotations.Nullable;

/** The XML form of differences, as hwloc has it. */
final class DiffXml {
    /** In the order of hwloc's numbers ({@code hwloc_topology_diff_obj_attr_type_e}). */
    private static final List<Kind> KINDS = List.of(Kind.SIZE, Kind.NAME, Kind.INFO);

    private DiffXml() {}

    /** Reads the attributes of the present element. */
    static Change read(XmlElements xml) {
        int type = xml.smallNumber("type", -1);
        int attribute = xml.smallNumber("obj_attr_type", -1);
        if (type != 0 || attribute < 0 || attribute >= KINDS.size()) {
            throw xml.fault("is a difference of the unknown type " + type + ", " + attribute);
        }
        Kind kind = KINDS.get(attribute);
        String before = xml.required("obj_attr_oldvalue");
        String after = xml.required("obj_attr_newvalue");
        if (kind == Kind.SIZE) {
            before = size(xml, before);
            after = size(xml, after);
        }
        return new Change(
                kind,
                xml.parse("obj_depth", xml.required("obj_depth"), Integer::parseInt),
                xml.parse("obj_index", xml.required("obj_index"), Integer::parseInt),
                kind == Kind.INFO ? xml.required("obj_attr_name") : null,
                kind == Kind.NAME ? absentWhenEmpty(before) : before,
                kind == Kind.NAME ? absentWhenEmpty(after) : after);
    }

    private static String size(XmlElements xml, String text) {
        long value = xml.parse("a size", text, Long::parseLong);
        if (value < 0) {
            throw xml.fault("a size of " + value + " is negative");
        }
        return Long.toString(value);
    }

    private static @Nullable String absentWhenEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    static String write(Optional<String> reference, List<Change> changes) {
        XmlText xml = new XmlText();
        xml.header("topologydiff", "hwloc2-diff.dtd");
        xml.open("topologydiff");
        reference.ifPresent(name -> xml.with("refname", name));
        xml.children();
        for (Change change : changes) {
            xml.open("diff")
                    .with("type", 0)
                    .with("obj_depth", change.depth())
                    .with("obj_index", change.logicalIndex())
                    .with("obj_attr_type", KINDS.indexOf(change.kind()));
            if (change.kind() == Kind.SIZE) {
                xml.with("obj_attr_index", 0);
            }
            String name = change.name();
            if (name != null) {
                xml.with("obj_attr_name", name);
            }
            xml.with("obj_attr_oldvalue", presentOrEmpty(change.oldValue()))
                    .with("obj_attr_newvalue", presentOrEmpty(change.newValue()))
                    .end();
        }
        xml.close("topologydiff");
        return xml.toString();
    }

    private static String presentOrEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }
}
