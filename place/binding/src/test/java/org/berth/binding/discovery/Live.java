package org.berth.binding.discovery;

import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;

/** This machine as hwloc sees it, not narrowed to the mask of this process. */
final class Live {
    private Live() {}

    static Topology machine(DiscoveryOptions options) {
        return TopologyXml.parse(Discovery.liveSnapshot(options).xml());
    }
}
