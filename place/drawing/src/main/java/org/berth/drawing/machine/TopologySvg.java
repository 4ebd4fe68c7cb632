package org.berth.drawing.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.berth.drawing.internal.svg.SvgBlock;
import org.berth.drawing.internal.svg.SvgSheet;
import org.berth.drawing.internal.text.Labels;
import org.berth.drawing.internal.text.Palette;
import org.berth.text.Bytes;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * The machine as an SVG picture in the manner of lstopo: caches lie as bars on what shares them, and the colours follow the
 * reader's light or dark scheme. On a machine with more than {@value #MOST_PLAIN} PUs a core is a box of its PUs, and what each core
 * has for itself is one sentence below. Parts that are alike are drawn alike. A pure function.
 *
 * @since 0.1.0
 */
public final class TopologySvg {
    private static final int MARGIN = 8;
    private static final int MOST_PLAIN = 32;

    /** Its text of 11 px still has 9 px where a page shows the picture in 1,100. */
    private static final int MOST_WIDTH = 1344;

    /** Characters in a line below the machine. */
    private static final int COLUMNS = 120;

    private static final String STYLE = """
            text { white-space: pre; font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1d2733; }
            .title { font-weight: bold; }
            .middle { text-anchor: middle; }
            rect { stroke: #8793a1; stroke-width: 1; }
            .page { fill: #ffffff; stroke: none; }
            .machine rect { fill: #f7f9fb; }
            .package rect { fill: #e3ebf5; }
            .group rect { fill: #eef1e6; }
            .core rect { fill: #d3dbe6; }
            .memory rect { fill: #f6d9dc; }
            .cache rect { fill: #fdf2cc; }
            .device rect { fill: #d6eee4; }
            .pu rect { fill: #ffffff; stroke: #2e7d46; stroke-width: 1.5; }
            .pu.forbidden rect { fill: #e6e6e6; stroke: #b0b0b0; stroke-dasharray: 3 2; }
            .forbidden text { fill: #8a8a8a; }
            @media (prefers-color-scheme: dark) {
            text { fill: #e4e9ef; }
            rect { stroke: #66717e; }
            .page { fill: #14181d; }
            .machine rect { fill: #1b2026; }
            .package rect { fill: #242e3b; }
            .group rect { fill: #2a2e22; }
            .core rect { fill: #34404f; }
            .memory rect { fill: #54303a; }
            .cache rect { fill: #4b4222; }
            .device rect { fill: #1f4639; }
            .pu rect { fill: #14181d; stroke: #5fc27e; }
            .pu.forbidden rect { fill: #2a2a2a; stroke: #555555; }
            .forbidden text { fill: #808080; }
            }
            """;

    private final Topology topology;
    private final Map<Integer, PuMark> marks;
    private final CpuSet allowed;
    private final NodeSet allowedNodes;
    private final boolean folded;
    private final Map<String, Integer> columns = new HashMap<>();
    private final Set<String> inEachCore = new LinkedHashSet<>();

    private TopologySvg(Topology topology, Map<Integer, PuMark> marks) {
        this.topology = topology;
        this.marks = marks;
        this.allowed = topology.allowedCpuSet();
        this.allowedNodes = topology.allowedNodeSet();
        this.folded = topology.count(ObjectType.PU) > MOST_PLAIN;
    }

    /** A complete SVG document; below the machine are what a picture cannot show, and the captions. */
    public static String render(Topology topology, List<String> captions) {
        return render(topology, captions, Map.of());
    }

    /**
     * Does the same with marks on PUs, such as the workers of a plan.
     *
     * @param marks by the osIndex of the PU; those of other PUs are left out
     */
    public static String render(Topology topology, List<String> captions, Map<Integer, PuMark> marks) {
        TopologySvg picture = new TopologySvg(topology, marks);
        SvgBlock machine = picture.block(topology.root(), MOST_WIDTH);
        List<String> lines = picture.lines(captions);
        int width = machine.width();
        for (String line : lines) {
            width = Math.max(width, SvgBlock.textWidth(line));
        }
        int captionTop = machine.height() + 2 * MARGIN;
        int height = captionTop + lines.size() * 16 + (lines.isEmpty() ? 0 : MARGIN);
        SvgSheet svg = new SvgSheet("Topology of a machine", width + 2 * MARGIN, height, style());
        machine.draw(svg, MARGIN, MARGIN, width, machine.height());
        int line = captionTop + 11;
        for (String text : lines) {
            svg.text("", MARGIN, line, text);
            line += 16;
        }
        return svg.finish();
    }

    /** The rules of marks follow those of cells, which they change. */
    private static String style() {
        StringBuilder css = new StringBuilder(STYLE);
        for (int colour = 0; colour < Palette.SIZE; colour++) {
            css.append(".pu.w%d rect { fill: %s; fill-opacity: 0.3; }\n".formatted(colour, Palette.thread(colour)));
        }
        css.append("@media (prefers-color-scheme: dark) {\n");
        for (int colour = 0; colour < Palette.SIZE; colour++) {
            css.append(".pu.w%d rect { fill: %s; }\n".formatted(colour, Palette.threadOnDark(colour)));
        }
        return css.append("}\n").toString();
    }

    private List<String> lines(List<String> captions) {
        List<String> lines = new ArrayList<>();
        model().ifPresent(model -> lines.add("Each package is " + model + "."));
        if (!inEachCore.isEmpty()) {
            lines.add("Each core has " + Words.and(List.copyOf(inEachCore)) + " of its own.");
        }
        if (!allowed.containsAll(topology.cpuSet())) {
            lines.add("Dashed: not for this process.");
        }
        lines.addAll(TopologyFacts.render(topology, COLUMNS).lines().toList());
        lines.addAll(captions);
        return lines;
    }

    /** @param room the width that it should not exceed */
    private SvgBlock block(TopologyObject object, int room) {
        int inside = room - 2 * SvgBlock.PADDING;
        return switch (object.type()) {
            case PU -> processor(object);
            case CORE -> core(object, inside);
            case MACHINE -> SvgBlock.frame("machine", title(object), tooltip(object), contents(object, inside));
            case PACKAGE, DIE -> SvgBlock.frame("package", title(object), tooltip(object), contents(object, inside));
            default -> {
                if (Labels.isCache(object)) {
                    yield cache(object, room);
                }
                // hwloc adds groups without a meaning of their own to attach memory or distances to them.
                boolean plain = object.subtype().isEmpty();
                yield plain && object.children().size() == 1
                        ? contents(object, room)
                        : SvgBlock.frame(
                                "group", plain ? "" : Labels.name(object), tooltip(object), contents(object, inside));
            }
        };
    }

    private SvgBlock core(TopologyObject core, int inside) {
        SvgBlock contents = contents(core, inside);
        if (!folded) {
            return SvgBlock.frame("core", Labels.name(core), tooltip(core), contents);
        }
        return core.children().size() == 1 && core.memoryChildren().isEmpty()
                ? contents
                : SvgBlock.frame("core", "", tooltip(core), contents);
    }

    private SvgBlock cache(TopologyObject cache, int room) {
        if (folded && isOfOneCore(cache)) {
            inEachCore.add(Labels.cache(cache));
            return contents(cache, room);
        }
        SvgBlock bar = SvgBlock.bar("cache", Labels.cache(cache), tooltip(cache));
        return SvgBlock.stack(List.of(bar, contents(cache, room)));
    }

    private static boolean isOfOneCore(TopologyObject object) {
        return object.type() == ObjectType.CORE
                || object.type() == ObjectType.PU
                || (object.children().size() == 1
                        && isOfOneCore(object.children().get(0)));
    }

    private SvgBlock processor(TopologyObject pu) {
        boolean usable = allowed.contains(pu.osIndex());
        String name = "P#" + pu.osIndex();
        String why = usable ? ", usable by this process" : ", not for this process";
        PuMark mark = marks.get(pu.osIndex());
        String tooltip = "PU L#" + pu.logicalIndex() + " " + name + why + (mark == null ? "" : ", " + mark.tooltip());
        String style = usable ? "pu" : "pu forbidden";
        return mark == null
                ? SvgBlock.bar(style, name, tooltip)
                : SvgBlock.bar(
                        style + " w" + mark.colour() % Palette.SIZE, name + Words.SEPARATOR + mark.text(), tooltip);
    }

    private SvgBlock contents(TopologyObject object, int room) {
        List<SvgBlock> blocks = new ArrayList<>();
        object.memoryChildren().forEach(memory -> blocks.add(memory(memory)));
        List<SvgBlock> children = new ArrayList<>();
        object.children().forEach(child -> children.add(block(child, room)));
        if (!children.isEmpty()) {
            // The first one of its kind decides for all: a longer number in a label must not change the shape.
            String kind = object.depth() + " " + object.type() + " " + children.size() + " "
                    + object.children().get(0).type();
            blocks.add(SvgBlock.grid(
                    children, columns.computeIfAbsent(kind, one -> SvgBlock.balancedColumns(children, room))));
        }
        List<SvgBlock> devices = new ArrayList<>();
        Labels.devices(object).forEach(device -> devices.add(SvgBlock.bar("device", device, "")));
        int widest = SvgBlock.stack(devices).width();
        int width = SvgBlock.stack(blocks).width();
        int across = Math.min(devices.size(), (width + SvgBlock.GAP) / (widest + SvgBlock.GAP));
        blocks.add(SvgBlock.grid(devices, Math.max(1, across)));
        return SvgBlock.stack(blocks);
    }

    private SvgBlock memory(TopologyObject object) {
        if (object.type() == ObjectType.NUMA_NODE) {
            boolean usable = allowedNodes.contains(object.osIndex());
            String style = usable ? "memory" : "memory forbidden";
            return SvgBlock.bar(style, Labels.memory(object), "PUs near: " + object.cpuSet());
        }
        List<SvgBlock> nodes = new ArrayList<>();
        object.memoryChildren().forEach(child -> nodes.add(memory(child)));
        return SvgBlock.frame("cache", Labels.memoryCache(object), "", SvgBlock.stack(nodes));
    }

    private String title(TopologyObject object) {
        StringBuilder title = new StringBuilder(Labels.name(object));
        Optional<String> model = object.type() == ObjectType.MACHINE
                ? Labels.machine(topology.infos())
                : Labels.processor(object.infos());
        if (object.type() == ObjectType.MACHINE && object.totalMemoryBytes() > 0) {
            title.append(Words.SEPARATOR).append(Bytes.text(object.totalMemoryBytes()));
        }
        if (object.type() != ObjectType.PACKAGE || model().isEmpty()) {
            model.ifPresent(text -> title.append(Words.SEPARATOR).append(text));
        }
        return title.toString();
    }

    /** The processor of several packages, if they are alike: their titles need not repeat it. */
    private Optional<String> model() {
        List<Optional<String>> models = topology.objects(ObjectType.PACKAGE).stream()
                .map(one -> Labels.processor(one.infos()))
                .distinct()
                .toList();
        return folded && models.size() == 1 && topology.count(ObjectType.PACKAGE) > 1
                ? models.get(0)
                : Optional.empty();
    }

    private static String tooltip(TopologyObject object) {
        return Labels.name(object) + ": PUs " + object.cpuSet();
    }
}
