package org.berth.drawing.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.drawing.internal.svg.SvgBlock;
import org.berth.drawing.internal.svg.SvgSheet;
import org.berth.drawing.internal.text.Labels;
import org.berth.text.Bytes;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * The machine as an SVG picture in the manner of lstopo: nothing is folded, caches lie as bars on what shares them, and
 * the colours follow the reader's light or dark scheme. A pure function.
 *
 * @since 0.1.0
 */
public final class TopologySvg {
    private static final int MARGIN = 8;

    private static final String STYLE = """
            text { font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1d2733; }
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
    private final CpuSet allowed;
    private final NodeSet allowedNodes;

    private TopologySvg(Topology topology) {
        this.topology = topology;
        this.allowed = topology.allowedCpuSet();
        this.allowedNodes = topology.allowedNodeSet();
    }

    /** A complete SVG document with sentences below the machine. */
    public static String render(Topology topology, List<String> captions) {
        SvgBlock machine = new TopologySvg(topology).block(topology.root());
        int width = machine.width();
        for (String caption : captions) {
            width = Math.max(width, SvgBlock.textWidth(caption));
        }
        int captionTop = machine.height() + 2 * MARGIN;
        int height = captionTop + captions.size() * 16 + (captions.isEmpty() ? 0 : MARGIN);
        SvgSheet svg = new SvgSheet("Topology of a machine", width + 2 * MARGIN, height, STYLE);
        machine.draw(svg, MARGIN, MARGIN, width, machine.height());
        int line = captionTop + 11;
        for (String caption : captions) {
            svg.text("", MARGIN, line, caption);
            line += 16;
        }
        return svg.finish();
    }

    private SvgBlock block(TopologyObject object) {
        return switch (object.type()) {
            case PU -> processor(object);
            case CORE -> SvgBlock.frame("core", Labels.name(object), tooltip(object), contents(object));
            case MACHINE -> SvgBlock.frame("machine", title(object), tooltip(object), contents(object));
            case PACKAGE, DIE -> SvgBlock.frame("package", title(object), tooltip(object), contents(object));
            default -> {
                if (Labels.isCache(object)) {
                    SvgBlock bar = SvgBlock.bar("cache", Labels.cache(object), tooltip(object));
                    yield SvgBlock.stack(List.of(bar, contents(object)));
                }
                // hwloc adds groups without a meaning of their own to attach memory or distances to them.
                boolean transparent =
                        object.subtype().isEmpty() && object.children().size() == 1;
                yield transparent
                        ? contents(object)
                        : SvgBlock.frame("group", Labels.name(object), tooltip(object), contents(object));
            }
        };
    }

    private SvgBlock processor(TopologyObject pu) {
        boolean usable = allowed.contains(pu.osIndex());
        String label = "P#" + pu.osIndex();
        String why = usable ? ", usable by this process" : ", not for this process";
        return SvgBlock.bar(usable ? "pu" : "pu forbidden", label, "PU L#" + pu.logicalIndex() + " " + label + why);
    }

    private SvgBlock contents(TopologyObject object) {
        List<SvgBlock> blocks = new ArrayList<>();
        object.memoryChildren().forEach(memory -> blocks.add(memory(memory)));
        List<SvgBlock> children = new ArrayList<>();
        object.children().forEach(child -> children.add(block(child)));
        blocks.add(SvgBlock.balancedGrid(children));
        List<SvgBlock> devices = new ArrayList<>();
        Labels.devices(object).forEach(device -> devices.add(SvgBlock.bar("device", device, "")));
        int widest = SvgBlock.stack(devices).width();
        int room = SvgBlock.stack(blocks).width();
        int columns = Math.min(devices.size(), (room + SvgBlock.GAP) / (widest + SvgBlock.GAP));
        blocks.add(SvgBlock.grid(devices, Math.max(1, columns)));
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
        model.ifPresent(text -> title.append(Words.SEPARATOR).append(text));
        return title.toString();
    }

    private static String tooltip(TopologyObject object) {
        return Labels.name(object) + ": PUs " + object.cpuSet();
    }
}
