package org.berth.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.berth.cli.Canvas.Style;
import org.berth.cli.Picture.Cell;
import org.berth.cli.Picture.Frame;
import org.berth.cli.Picture.Grid;
import org.berth.cli.Picture.Line;
import org.berth.cli.Picture.Part;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;

/**
 * Decides what of a machine becomes a frame and what is folded. Chains of only children share one frame; cores become
 * cells; up to {@value #EXPLICIT_PUS} PUs every cell spells out its caches, beyond {@value #FRAMED_PUS} small packages
 * are cells too.
 */
final class PictureBuilder {
    private static final int EXPLICIT_PUS = 8;
    private static final int FRAMED_PUS = 64;

    private final Topology topology;
    private final CpuSet allowed;
    private final NodeSet allowedNodes;
    private final CoreKinds kinds;
    private final boolean mark;
    private final boolean explicit;
    private final boolean foldPackages;
    private final int digits;
    private final Set<String> cellKinds = new LinkedHashSet<>();

    private PictureBuilder(Topology topology) {
        this.topology = topology;
        this.allowed = topology.allowedCpuSet();
        this.allowedNodes = topology.allowedNodeSet();
        this.kinds = new CoreKinds(topology);
        this.mark = !allowed.containsAll(topology.cpuSet());
        int pus = topology.count(ObjectType.PU);
        this.explicit = pus <= EXPLICIT_PUS;
        this.foldPackages = pus > FRAMED_PUS;
        this.digits = Integer.toString(Math.max(0, topology.cpuSet().last())).length();
    }

    static Picture build(Topology topology) {
        return new PictureBuilder(topology).build();
    }

    private Picture build() {
        collectKinds(topology.root());
        Frame machine = frame(topology.root());
        List<Line> legend = new ArrayList<>();
        if (!explicit) {
            addCellLegend(legend);
        }
        if (mark) {
            legend.add(new Line("● marks a PU that this process may use.", Style.NOTE));
        }
        return new Picture(machine, legend);
    }

    private void addCellLegend(List<Line> legend) {
        legend.add(new Line("Numbers are PUs (logical CPUs, P#).", Style.NOTE));
        if (cellKinds.size() == 1) {
            Optional<CoreCell> first = firstCell(topology.root());
            first.filter(cell -> !cell.description().isEmpty())
                    .ifPresent(cell -> legend.add(
                            new Line("Each " + Labels.kind(cell.unit()) + ": " + cell.description(), Style.CACHE)));
        }
    }

    private Optional<CoreCell> firstCell(TopologyObject object) {
        Optional<CoreCell> cell = cell(object);
        for (TopologyObject child : object.children()) {
            if (cell.isPresent()) {
                break;
            }
            cell = firstCell(child);
        }
        return cell;
    }

    private void collectKinds(TopologyObject object) {
        Optional<CoreCell> cell = cell(object);
        if (cell.isPresent()) {
            cellKinds.add(cell.get().kind(kinds));
        } else {
            object.children().forEach(this::collectKinds);
        }
    }

    private Optional<CoreCell> cell(TopologyObject object) {
        if (object.type() == ObjectType.MACHINE) {
            return Optional.empty();
        }
        return CoreCell.of(object)
                .filter(cell -> foldPackages || !cell.hidesPackage())
                .filter(cell -> !explicit || cell.cores().size() == 1);
    }

    private Frame frame(TopologyObject object) {
        List<TopologyObject> chain = new ArrayList<>();
        TopologyObject current = object;
        chain.add(current);
        while (current.children().size() == 1 && cell(current.children().get(0)).isEmpty()) {
            current = current.children().get(0);
            chain.add(current);
        }
        List<Line> header = new ArrayList<>();
        List<Line> footer = new ArrayList<>();
        for (TopologyObject link : chain) {
            addMemory(link, header);
            addDevices(link, footer);
        }
        addCaches(chain, header);
        if (object.cpuSet().isEmpty()) {
            header.add(new Line("no CPUs", Style.NOTE));
        }
        return new Frame(title(chain), header, parts(current.children()), footer);
    }

    private String title(List<TopologyObject> chain) {
        StringBuilder title = new StringBuilder();
        for (TopologyObject link : chain) {
            boolean anonymous = link.type() == ObjectType.GROUP
                    && link.subtype().isEmpty()
                    && !(chain.size() == 1 && link.memoryChildren().isEmpty());
            if (!Labels.isCache(link) && !anonymous) {
                title.append(title.isEmpty() ? "" : " + ").append(Labels.name(link));
                Labels.processor(link.infos())
                        .ifPresent(model -> title.append(Labels.SEPARATOR).append(model));
                if (link.type() == ObjectType.MACHINE) {
                    if (link.totalMemoryBytes() > 0) {
                        title.append(Labels.SEPARATOR).append(Labels.bytes(link.totalMemoryBytes()));
                    }
                    Labels.machine(topology.infos())
                            .ifPresent(name -> title.append(Labels.SEPARATOR).append(name));
                }
            }
        }
        return title.toString();
    }

    private void addMemory(TopologyObject object, List<Line> lines) {
        for (TopologyObject child : object.memoryChildren()) {
            addMemory(child, "", lines);
        }
    }

    private void addMemory(TopologyObject object, String behind, List<Line> lines) {
        if (object.type() == ObjectType.NUMA_NODE) {
            String forbidden = allowedNodes.contains(object.osIndex()) ? "" : Labels.SEPARATOR + "not for this process";
            lines.add(new Line(Labels.memory(object) + behind + forbidden, Style.MEMORY));
            return;
        }
        String cache = behind + Labels.SEPARATOR + "behind " + Labels.memoryCache(object);
        for (TopologyObject child : object.memoryChildren()) {
            addMemory(child, cache, lines);
        }
    }

    private static void addCaches(List<TopologyObject> chain, List<Line> lines) {
        List<String> caches = new ArrayList<>();
        for (TopologyObject link : chain) {
            if (Labels.isCache(link)) {
                caches.add(Labels.cache(link));
            }
        }
        if (!caches.isEmpty()) {
            lines.add(new Line(String.join(Labels.SEPARATOR, caches), Style.CACHE));
        }
    }

    private static void addDevices(TopologyObject object, List<Line> lines) {
        for (String device : Labels.devices(object)) {
            lines.add(new Line(device, Style.DEVICE));
        }
    }

    private List<Part> parts(List<TopologyObject> children) {
        List<Part> parts = new ArrayList<>();
        List<CoreCell> run = new ArrayList<>();
        for (TopologyObject child : children) {
            Optional<CoreCell> cell = cell(child);
            if (!run.isEmpty()
                    && (cell.isEmpty()
                            || !cell.get().kind(kinds).equals(run.get(0).kind(kinds)))) {
                parts.add(grid(run));
                run.clear();
            }
            if (cell.isPresent()) {
                run.add(cell.get());
            } else {
                parts.add(frame(child));
            }
        }
        if (!run.isEmpty()) {
            parts.add(grid(run));
        }
        return parts;
    }

    private Grid grid(List<CoreCell> run) {
        List<Cell> cells = new ArrayList<>();
        for (CoreCell cell : run) {
            cells.add(explicit ? cell.explicit(allowed, mark) : cell.compact(allowed, mark, digits));
        }
        List<Line> label = new ArrayList<>();
        if (!explicit) {
            label.add(new Line(gridName(run), Style.TITLE));
        }
        CoreCell first = run.get(0);
        String kind = kinds.of(first.top().cpuSet());
        if (!kind.isEmpty()) {
            label.add(new Line(kind, Style.NOTE));
        }
        if (!explicit && cellKinds.size() > 1 && !first.description().isEmpty()) {
            label.add(new Line("each " + first.description(), Style.CACHE));
        }
        return new Grid(label, cells);
    }

    private static String gridName(List<CoreCell> run) {
        CpuSet numbers = CpuSet.empty();
        for (CoreCell cell : run) {
            numbers = numbers.with(cell.unit().logicalIndex());
        }
        String count = run.size() > 1 ? run.size() + " × " : "";
        return count + Labels.kind(run.get(0).unit()) + " L#" + numbers;
    }
}
