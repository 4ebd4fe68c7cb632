package org.berth.topology.xml;

import java.io.InputStream;
import java.io.StringReader;
import org.berth.topology.Topology;
import org.berth.topology.TopologyException;
import org.berth.topology.internal.xml.GuardedReader;
import org.berth.topology.internal.xml.TopologyReader;
import org.berth.topology.internal.xml.TopologyWriter;
import org.berth.topology.internal.xml.XmlElements;

/**
 * Reads and writes hwloc's XML, as {@code lstopo --of xml} or {@code hwloc_topology_export_xml} write it (formats 2.x and 3.0).
 *
 * <p>Elements and attributes that are not known are ignored, as newer hwloc releases add some. The input is bounded
 * (UTF-8, 32 Mi characters, 500,000 elements, 200,000 objects, nesting, indexes) and may be hostile: whatever it holds, the outcome
 * is a topology or a {@link TopologyException}, within 384 MiB of heap. Nothing but the input is read. Pure functions, for any thread.
 *
 * @since 0.1.0
 */
public final class TopologyXml {
    private TopologyXml() {}

    /**
     * The topology as hwloc XML in format 2.0, which {@code lstopo} and every hwloc 2.x and 3.0 read; read back it is the
     * same machine ({@code hwloc_topology_export_xml}, {@code hwloc_topology_export_xmlbuffer}). Of the kinds of a device
     * format 2 keeps one.
     */
    public static String write(Topology topology) {
        return TopologyWriter.write(topology);
    }

    /**
     * Reads one topology, UTF-8; the stream is not closed ({@code hwloc_topology_set_xml}).
     *
     * @throws TopologyException one line that says what is wrong, and in which line
     */
    public static Topology parse(InputStream xml) {
        return new TopologyReader(new XmlElements(GuardedReader.ofUtf8(xml))).read();
    }

    /**
     * Reads one topology and checks that it is one: sets, levels, numbers ({@code hwloc_topology_set_xmlbuffer},
     * {@code hwloc_topology_check}).
     *
     * @throws TopologyException one line that says what is wrong, and in which line
     */
    public static Topology parse(String xml) {
        return new TopologyReader(new XmlElements(new GuardedReader(new StringReader(xml)))).read();
    }
}
