package org.berth.topology;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads hwloc's XML, as {@code lstopo --of xml} or {@code hwloc_topology_export_xml} write it (formats 2.x and 3.0).
 *
 * <p>Elements and attributes that are not known are ignored, as newer hwloc releases add some. The input is bounded
 * (32 MiB, 200,000 objects, nesting, indexes) and may be hostile: whatever it holds, the outcome is a topology or a
 * {@link TopologyException}. Nothing but the input is read.
 */
public final class TopologyXml {
    private TopologyXml() {}

    /**
     * Reads one topology; the stream is not closed.
     *
     * @throws TopologyException one line that says what is wrong, and in which line
     */
    public static Topology parse(InputStream xml) {
        return new TopologyReader(new XmlElements(xml, null)).read();
    }

    /**
     * Reads one topology.
     *
     * @throws TopologyException one line that says what is wrong, and in which line
     */
    public static Topology parse(String xml) {
        InputStream bytes = new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8));
        return new TopologyReader(new XmlElements(bytes, "UTF-8")).read();
    }
}
