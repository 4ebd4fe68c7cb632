package org.berth.drawing.timeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
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

    /** CPUs that share a row of a picture, the name of the row (cores and caches as hwloc counts), and the node of the first CPU. */
    public record Lane(String name, CpuSet cpus, int node) {}

    /**
     * The rows of a picture from top to bottom.
     *
     * @param unit what a row is, for example "core"
     */
    public record Lanes(String unit, List<Lane> all) {
        public Lanes {
            all = List.copyOf(all);
        }
    }

    private final List<Row> rows;
    private final List<Lanes> shared;
    private final Map<Integer, Row> byCpu = new HashMap<>();

    /** @param shared how CPUs may share rows within their nodes, the smallest groups first */
    CpuRows(List<Row> rows, List<Lanes> shared) {
        this.rows = List.copyOf(rows);
        this.shared = List.copyOf(shared);
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
        return new CpuRows(
                all,
                List.of(
                        lanes("core", "core ", all, topology.objects(ObjectType.CORE)),
                        lanes("L3 cache", "L3 ", all, topology.objects(ObjectType.L3_CACHE))));
    }

    /** CPUs outside all of the objects have rows of their own. */
    private static Lanes lanes(String unit, String prefix, List<Row> rows, List<TopologyObject> objects) {
        Map<Integer, TopologyObject> owners = new HashMap<>();
        objects.forEach(object -> object.cpuSet().stream().forEach(cpu -> owners.put(cpu, object)));
        Map<String, Lane> lanes = new LinkedHashMap<>();
        for (Row row : rows) {
            TopologyObject owner = owners.get(row.cpu());
            Lane lane =
                    owner == null ? alone(row) : new Lane(prefix + owner.logicalIndex(), owner.cpuSet(), row.node());
            lanes.putIfAbsent(lane.name(), lane);
        }
        return new Lanes(unit, List.copyOf(lanes.values()));
    }

    private static Lane alone(Row row) {
        return new Lane("CPU " + row.cpu(), CpuSet.of(row.cpu()), row.node());
    }

    /** A row for each CPU; if these are too many, for each core, L3 cache or, at last, node. */
    public Lanes lanes(int most) {
        Lanes each = new Lanes("CPU", rows.stream().map(CpuRows::alone).toList());
        return Stream.concat(Stream.of(each), shared.stream())
                .filter(lanes -> lanes.all().size() <= most)
                .findFirst()
                .orElseGet(this::nodes);
    }

    private Lanes nodes() {
        Map<Integer, CpuSet> cpus = new TreeMap<>();
        rows.forEach(row -> cpus.merge(row.node(), CpuSet.of(row.cpu()), (one, other) -> one.union(other)));
        List<Lane> lanes = new ArrayList<>();
        cpus.forEach((node, all) -> lanes.add(new Lane("node " + node, all, node)));
        return new Lanes("node", lanes);
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
