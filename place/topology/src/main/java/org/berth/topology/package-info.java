/**
 * Describes the machine as an immutable tree of packages, caches, cores, processing units, memory nodes and devices, with sets of CPUs
 * and memory nodes and the queries over them. Read {@code Topology}, {@code TopologyObject} and {@code CpuSet} first.
 */
@NullMarked
package org.berth.topology;

import org.berth.topology.diff.TopologyDiff;
import org.berth.topology.edit.Grouping;
import org.berth.topology.edit.Restriction;
import org.berth.topology.edit.TopologyEditor;
import org.berth.topology.internal.bits.Bitmap;
import org.berth.topology.synthetic.SyntheticWriter;
import org.berth.topology.synthetic.TopologySynthetic;
import org.berth.topology.type.NodeLocality;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.ObjectReader;
import org.berth.topology.xml.ObjectWriter;
import org.berth.topology.xml.TopologyReader;
import org.berth.topology.xml.TopologyWriter;
import org.berth.topology.xml.TopologyXml;
import org.berth.topology.xml.TreeChecker;

import org.jspecify.annotations.NullMarked;
