package org.berth.drawing.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.berth.text.Bytes;
import org.berth.text.TextTable;
import org.berth.text.WordWrap;
import org.berth.text.Words;
import org.berth.topology.CpuKind;
import org.berth.topology.CpuSet;
import org.berth.topology.Distances;
import org.berth.topology.MemoryTier;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * What a picture of the machine cannot show: distances, tiers of memory, kinds of CPUs, what is offline. Pure.
 *
 * @since 0.1.0
 */
public final class TopologyFacts {
    private static final int WIDEST_LABEL = 24;
    /** hwloc's name for what the firmware tells the kernel (ACPI SLIT). */
    private static final String KERNELS = "NUMALatency";

    private final Topology topology;
    private final int columns;
    private final StringBuilder out = new StringBuilder();

    private TopologyFacts(Topology topology, int columns) {
        this.topology = topology;
        this.columns = columns;
    }

    /** One paragraph each, none for what is the same on most machines. */
    public static String render(Topology topology, int columns) {
        TopologyFacts facts = new TopologyFacts(topology, columns);
        topology.distances().forEach(facts::addDistances);
        facts.addMemoryTiers();
        facts.addCpuKinds();
        return facts.out.toString();
    }

    /** The CPUs of the machine that the tree lacks. */
    public static String absentCpus(Topology topology, int columns) {
        TopologyFacts facts = new TopologyFacts(topology, columns);
        facts.addAbsentCpus();
        return facts.out.toString();
    }

    private void addAbsentCpus() {
        CpuSet absent = topology.completeCpuSet().minus(topology.cpuSet());
        if (!absent.isEmpty()) {
            WordWrap.append(out, "", "Offline, or left out of this description: CPUs " + absent + ".", columns);
        }
    }

    private void addDistances(Distances matrix) {
        List<TopologyObject> objects = matrix.objects();
        List<String> labels = objects.stream().map(TopologyFacts::label).toList();
        int labelWidth = labels.stream().mapToInt(String::length).max().orElse(0);
        int width = 0;
        for (TopologyObject object : objects) {
            width = Math.max(width, number(object).length());
        }
        for (long value : matrix.values()) {
            width = Math.max(width, Long.toString(value).length());
        }
        String title = matrix.name().isEmpty()
                ? "Distances"
                : matrix.name().equals(KERNELS) ? "Distances of NUMA nodes, 10 is local" : matrix.name();
        String meaning = matrix.isBandwidth() ? "greater is nearer" : "smaller is nearer";
        WordWrap.append(out, "", title + ", from the row to the column (" + meaning + "):", columns);
        if (2 + labelWidth + objects.size() * (width + 2) > columns) {
            addDistanceClasses(matrix);
            return;
        }
        TextTable table = TextTable.ofNumbers();
        List<String> heading = new ArrayList<>(List.of(""));
        for (TopologyObject object : objects) {
            heading.add(" ".repeat(width - number(object).length()) + number(object));
        }
        table.row(heading);
        for (int row = 0; row < objects.size(); row++) {
            List<String> cells = new ArrayList<>(List.of(labels.get(row)));
            for (int column = 0; column < objects.size(); column++) {
                cells.add(Long.toString(matrix.value(row, column)));
            }
            table.row(cells);
        }
        table.lines().forEach(line -> out.append("  ").append(line).append('\n'));
    }

    /** Describes matrices too wide for a terminal: how often each value occurs. */
    private void addDistanceClasses(Distances matrix) {
        Map<Long, Integer> pairs = new TreeMap<>();
        for (long value : matrix.values()) {
            pairs.merge(value, 1, Integer::sum);
        }
        StringJoiner classes = new StringJoiner(", ");
        pairs.forEach((value, count) -> classes.add(value + " (" + count + " pairs)"));
        String size = Words.count(matrix.objects().size(), "object");
        WordWrap.append(out, "  ", "of " + size + ": " + classes + "; --json has all of it", columns);
    }

    private static String label(TopologyObject object) {
        if (object.type() == ObjectType.NUMA_NODE) {
            return "node " + number(object);
        }
        String text = WordWrap.plain(object.toString());
        return text.length() > WIDEST_LABEL ? text.substring(0, WIDEST_LABEL) : text;
    }

    private static String number(TopologyObject object) {
        return object.osIndex() >= 0 ? "P#" + object.osIndex() : "L#" + object.logicalIndex();
    }

    private void addMemoryTiers() {
        List<MemoryTier> tiers = topology.memoryTiers();
        if (tiers.size() < 2) {
            return;
        }
        boolean ranked = tiers.stream().anyMatch(tier -> tier.bandwidthMebibytesPerSecond() > 0);
        WordWrap.append(out, "", "Memory tiers" + (ranked ? ", the fastest first" : "") + ":", columns);
        TextTable table = new TextTable(TextTable.Align.LEFT);
        for (MemoryTier tier : tiers) {
            List<String> parts = new ArrayList<>();
            parts.add("nodes " + nodes(tier));
            parts.add(Bytes.text(tier.sizeBytes()));
            if (tier.bandwidthMebibytesPerSecond() > 0) {
                parts.add(tier.bandwidthMebibytesPerSecond() + " MiB/s");
            }
            if (tier.latencyNanos() > 0) {
                parts.add(tier.latencyNanos() + " ns");
            }
            table.row("  " + kind(tier), String.join(", ", parts));
        }
        table.appendTo(out, columns);
    }

    private static String kind(MemoryTier tier) {
        return tier.kind().isEmpty() ? "memory" : tier.kind();
    }

    private static String nodes(MemoryTier tier) {
        return NodeSet.of(
                        tier.nodes().stream().mapToInt(TopologyObject::osIndex).toArray())
                .toString();
    }

    private void addCpuKinds() {
        List<CpuKind> kinds = topology.cpuKinds();
        if (kinds.size() < 2) {
            return;
        }
        boolean ranked = kinds.get(0).efficiency() >= 0;
        WordWrap.append(out, "", "Kinds of CPUs" + (ranked ? ", the most economical first" : "") + ":", columns);
        for (CpuKind kind : kinds) {
            StringJoiner infos = new StringJoiner(", ");
            infos.add("CPUs " + kind.cpus());
            kind.infos().forEach((name, value) -> infos.add(String.format(Locale.ROOT, "%s %s", name, value)));
            WordWrap.append(out, "  ", infos.toString(), columns);
        }
    }
}
