package org.berth.drawing.machine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.berth.drawing.internal.text.Canvas.Style;
import org.berth.drawing.internal.text.Labels;
import org.berth.drawing.machine.Picture.Cell;
import org.berth.drawing.machine.Picture.Frame;
import org.berth.drawing.machine.Picture.Grid;
import org.berth.drawing.machine.Picture.Line;
import org.berth.drawing.machine.Picture.Part;
import org.berth.text.Bytes;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * Decides what of a machine becomes a frame and what is folded. Chains of only children share one frame; cores become
 * cells; up to {@value #EXPLICIT_PUS} PUs every cell spells out its caches, beyond {@value #FRAMED_PUS} small packages
 * are cells too.
 */
final class PictureBuilder {
    private static final int EXPLICIT_PUS = 8;
    private static final int FRAMED_PUS = 64;

    private final Topology topology;
    private final Map<Integer, PuMark> marks;
    private final CpuSet allowed;
    private final NodeSet allowedNodes;
    private final CoreKinds kinds;
    private final boolean mark;
    private final boolean explicit;
    private final boolean foldPackages;
    private final int digits;
    private final Map<String, CoreCell> cellKinds = new LinkedHashMap<>();
    private final Optional<String> onlyModel;

    private PictureBuilder(Topology topology, Map<Integer, PuMark> marks) {
        this.topology = topology;
        this.marks = marks;
        this.allowed = topology.allowedCpuSet();
        this.allowedNodes = topology.allowedNodeSet();
        this.kinds = new CoreKinds(topology);
        this.mark = marks.isEmpty() && !allowed.containsAll(topology.cpuSet());
        int pus = topology.count(ObjectType.PU);
        this.explicit = pus <= EXPLICIT_PUS && marks.isEmpty();
        this.foldPackages = pus > FRAMED_PUS;
        this.onlyModel = onlyModel(topology.objects(ObjectType.PACKAGE));
        this.digits = Integer.toString(Math.max(0, topology.cpuSet().last())).length();
    }

    /** @param marks by the osIndex of the PU; if there are any, they stand for the PUs */
    static Picture build(Topology topology, Map<Integer, PuMark> marks) {
        return new PictureBuilder(topology, marks).build();
    }

    private Picture build() {
        // The first pass only finds out which kinds of cells there are: one kind is described once, in the legend.
        frame(topology.root());
        Frame machine = frame(topology.root());
        List<Line> legend = new ArrayList<>();
        if (!explicit) {
            if (marks.isEmpty()) {
                legend.add(new Line("Numbers are PUs (logical CPUs, P#).", Style.NOTE));
            }
            cellKinds.values().stream()
                    .filter(cell -> cellKinds.size() == 1 && !cell.description().isEmpty())
                    .forEach(cell -> legend.add(
                            new Line("Each " + Labels.kind(cell.unit()) + ": " + cell.description(), Style.CACHE)));
        }
        if (mark) {
            legend.add(new Line("● marks a PU that this process may use.", Style.NOTE));
        }
        return new Picture(machine, legend);
    }

    private Optional<CoreCell> cell(TopologyObject object) {
        if (object.type() == ObjectType.MACHINE) {
            return Optional.empty();
        }
        return CoreCell.of(object)
                .filter(cell -> foldPackages || !cell.hidesMuch())
                .filter(cell -> !explicit || cell.cores().size() == 1);
    }

    private Frame frame(TopologyObject object) {
        List<TopologyObject> chain = new ArrayList<>();
        TopologyObject current = object;
        chain.add(current);
        while (current.children().size() == 1 && !isCore(current.children().get(0))) {
            current = current.children().get(0);
            chain.add(current);
        }
        List<Line> header = new ArrayList<>();
        List<Line> footer = new ArrayList<>();
        for (TopologyObject link : chain) {
            addName(link, header);
            addMemory(link, header);
            addDevices(link, footer);
        }
        addCaches(chain, header);
        if (object.cpuSet().isEmpty()) {
            header.add(new Line("no CPUs", Style.NOTE));
        }
        // The first line makes a good title: "Package L#0", or the only NUMA node of a group without a name.
        Line title = header.isEmpty() ? new Line(Labels.name(object), Style.TITLE) : header.remove(0);
        return new Frame(title, header, parts(current.children()), footer);
    }

    /** One cell with several cores is no grid: its cores are. */
    private boolean isCore(TopologyObject object) {
        return cell(object).filter(cell -> cell.cores().size() == 1).isPresent();
    }

    private void addName(TopologyObject object, List<Line> lines) {
        if (Labels.isCache(object)
                || (object.type() == ObjectType.GROUP && object.subtype().isEmpty())) {
            return;
        }
        StringJoiner name = new StringJoiner(Words.SEPARATOR);
        name.add(Labels.name(object));
        Labels.processor(object.infos()).filter(model -> onlyModel.isEmpty()).ifPresent(name::add);
        if (object.type() == ObjectType.MACHINE) {
            if (object.totalMemoryBytes() > 0) {
                name.add(Bytes.text(object.totalMemoryBytes()));
            }
            Labels.machine(topology.infos()).ifPresent(name::add);
        }
        lines.add(new Line(name.toString(), Style.TITLE));
        if (object.type() == ObjectType.MACHINE) {
            onlyModel.ifPresent(
                    model -> lines.add(new Line(topology.count(ObjectType.PACKAGE) + " × " + model, Style.PLAIN)));
        }
    }

    /** What several packages have in common is said once. */
    private static Optional<String> onlyModel(List<TopologyObject> packages) {
        Optional<String> model = packages.size() < 2
                ? Optional.empty()
                : Labels.processor(packages.get(0).infos());
        return model.filter(name -> packages.stream()
                .allMatch(other -> Labels.processor(other.infos()).equals(model)));
    }

    private void addMemory(TopologyObject object, List<Line> lines) {
        for (TopologyObject child : object.memoryChildren()) {
            addMemory(child, "", lines);
        }
    }

    private void addMemory(TopologyObject object, String behind, List<Line> lines) {
        if (object.type() == ObjectType.NUMA_NODE) {
            String forbidden = allowedNodes.contains(object.osIndex()) ? "" : Words.SEPARATOR + "not for this process";
            lines.add(new Line(Labels.memory(object) + behind + forbidden, Style.MEMORY));
            return;
        }
        String cache = behind + Words.SEPARATOR + Labels.memoryCache(object);
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
            lines.add(new Line(String.join(Words.SEPARATOR, caches), Style.CACHE));
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
        for (TopologyObject child : foldPackages ? withoutBareGroups(children) : children) {
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

    /** On large machines hwloc stacks groups made from distances alone; their frames would cost more than they tell. */
    private List<TopologyObject> withoutBareGroups(List<TopologyObject> children) {
        List<TopologyObject> flat = new ArrayList<>();
        for (TopologyObject child : children) {
            boolean bare = child.type() == ObjectType.GROUP
                    && child.subtype().isEmpty()
                    && child.memoryChildren().isEmpty()
                    && child.ioChildren().isEmpty()
                    && cell(child).isEmpty();
            flat.addAll(bare ? withoutBareGroups(child.children()) : List.of(child));
        }
        return flat;
    }

    private Grid grid(List<CoreCell> run) {
        List<Cell> cells = new ArrayList<>();
        for (CoreCell cell : run) {
            cells.add(cell(cell));
        }
        List<Line> label = new ArrayList<>();
        if (!explicit) {
            label.add(new Line(gridName(run), Style.TITLE));
            if (!marks.isEmpty()) {
                label.add(new Line("CPUs " + pus(run), Style.PLAIN));
            }
        }
        CoreCell first = run.get(0);
        cellKinds.putIfAbsent(first.kind(kinds), first);
        String kind = kinds.of(first.top().cpuSet());
        if (!kind.isEmpty()) {
            label.add(new Line(kind, Style.NOTE));
        }
        if (!explicit && cellKinds.size() > 1 && !first.description().isEmpty()) {
            label.add(new Line("each " + first.description(), Style.CACHE));
        }
        return new Grid(label, cells);
    }

    private Cell cell(CoreCell cell) {
        if (!marks.isEmpty()) {
            return cell.marked(allowed, marks);
        }
        return explicit ? cell.explicit(allowed, mark) : cell.compact(allowed, mark, digits);
    }

    private static CpuSet pus(List<CoreCell> run) {
        return run.stream().map(cell -> cell.top().cpuSet()).reduce(CpuSet.empty(), (a, b) -> a.union(b));
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
