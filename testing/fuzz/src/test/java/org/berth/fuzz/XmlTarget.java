package org.berth.fuzz;

import java.io.ByteArrayInputStream;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyException;
import org.berth.topology.TopologyObject;
import org.berth.topology.edit.RestrictOption;
import org.berth.topology.edit.TopologyEditor;
import org.berth.topology.xml.TopologyXml;

/** hwloc's XML: what is read is sane, comes back when it is written, and can be restricted. */
public final class XmlTarget {
    private XmlTarget() {}

    /** Called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        Topology topology;
        try {
            topology = TopologyXml.parse(new ByteArrayInputStream(input));
        } catch (TopologyException refused) {
            Messages.requireOneLine(refused);
            return;
        }
        requireSane(topology.root());
        String written = TopologyXml.write(topology);
        if (!TopologyXml.write(TopologyXml.parse(written)).equals(written)) {
            throw new AssertionError("what is written reads differently: " + written);
        }
        requireRestrictable(topology);
        for (int depth = 0; depth < topology.depth(); depth++) {
            for (int index = 0; index < topology.level(depth).size(); index++) {
                if (topology.level(depth).get(index).logicalIndex() != index) {
                    throw new AssertionError("logical indexes of level " + depth + " are not dense");
                }
            }
        }
    }

    private static void requireRestrictable(Topology topology) {
        try {
            TopologyEditor editor = TopologyEditor.of(topology);
            editor.restrictTo(CpuSet.of(topology.cpuSet().last()), RestrictOption.REMOVE_CPULESS);
            requireSane(editor.build().root());
        } catch (IllegalArgumentException nothingIsLeft) {
            Messages.requireOneLine(nothingIsLeft);
        }
    }

    private static void requireSane(TopologyObject object) {
        for (TopologyObject child : object.children()) {
            if (child.parent().orElseThrow() != object || !object.cpuSet().containsAll(child.cpuSet())) {
                throw new AssertionError(child + " is not inside " + object);
            }
            requireSane(child);
        }
    }
}
