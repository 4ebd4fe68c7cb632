package org.berth.drawing.timeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * The PUs of a machine in the order in which pictures show them: by NUMA node, then as hwloc counts. Immutable.
 *
 * @since 0.1.0
 */
public final class CpuRows {
    /** A machine whose memory is not described counts as one node. */
    private static final int NO_NODE = 0;

    /** One PU and its nearest node, both as the kernel counts (osIndex). */
    public record Row(int cpu, int node) {}

    private final List<Row> rows;
    private final Map<Integer, Row> byCpu = new HashMap<>();

    CpuRows(List<Row> rows) {
        this.rows = List.copyOf(rows);
        rows.forEach(row -> byCpu.put(row.cpu(), row));
    }

    /** A row for each CPU of the machine. */
    public static CpuRows of(Topology topology) {
        Map<Integer, List<Row>> byNode = new TreeMap<>();
        for (TopologyObject pu : topology.objects(ObjectType.PU)) {
            int node =
                    Math.max(NO_NODE, topology.nodesOf(CpuSet.of(pu.osIndex())).first());
            byNode.computeIfAbsent(node, n -> new ArrayList<>()).add(new Row(pu.osIndex(), node));
        }
        List<Row> all = new ArrayList<>();
        byNode.values().forEach(all::addAll);
        return new CpuRows(all);
    }

    /** The rows from top to bottom. */
    public List<Row> all() {
        return rows;
    }

    /** The node of a CPU; 0 for a CPU that the machine does not have. */
    public int nodeOf(int cpu) {
        Row row = byCpu.get(cpu);
        return row == null ? NO_NODE : row.node();
    }

    /** Whether its PUs are near different nodes. */
    public boolean hasSeveralNodes() {
        return rows.stream().mapToInt(Row::node).distinct().count() > 1;
    }

    /** Digits that the largest CPU number takes. */
    public int digits() {
        int largest = rows.stream().mapToInt(Row::cpu).max().orElse(0);
        return Integer.toString(largest).length();
    }
}
