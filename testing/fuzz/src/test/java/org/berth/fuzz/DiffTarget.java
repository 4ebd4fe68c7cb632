package org.berth.fuzz;

import java.nio.charset.StandardCharsets;
import org.berth.machines.Machines;
import org.berth.topology.Topology;
import org.berth.topology.TopologyException;
import org.berth.topology.diff.TopologyDiff;
import org.berth.topology.xml.TopologyXml;

/** hwloc's XML of differences: what is read comes back when it is written, and fits a machine or is refused. */
public final class DiffTarget {
    private static final Topology MACHINE = TopologyXml.parse(Machines.xml("2amd64-2n"));

    private DiffTarget() {}

    /** Called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        TopologyDiff diff;
        try {
            diff = TopologyDiff.parse(new String(input, StandardCharsets.UTF_8));
        } catch (TopologyException refused) {
            Messages.requireOneLine(refused);
            return;
        }
        if (!TopologyDiff.parse(diff.toXml()).changes().equals(diff.changes())) {
            throw new AssertionError("what is written reads differently: " + diff.toXml());
        }
        try {
            Topology changed = diff.applyTo(MACHINE);
            String back = TopologyXml.write(diff.reversed().applyTo(changed));
            if (!back.equals(TopologyXml.write(MACHINE))) {
                throw new AssertionError("reversed, it is another machine: " + back);
            }
        } catch (IllegalArgumentException doesNotFit) {
            Messages.requireOneLine(doesNotFit);
        }
    }
}
