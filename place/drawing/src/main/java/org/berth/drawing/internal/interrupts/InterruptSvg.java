package org.berth.drawing.internal.interrupts;

import java.util.List;
import java.util.Optional;
import org.berth.drawing.internal.svg.SvgSheet;
import org.berth.drawing.internal.text.Labels;
import org.berth.observation.internal.devices.DeviceInterrupts;
import org.berth.observation.internal.devices.Interrupt;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/**
 * The picture of {@link InterruptPicture} as SVG: a row for each device, a column for each CPU in blocks of packages,
 * cells that name their interrupts, and a band under the CPUs that the device itself is near. A pure function.
 *
 * @since 0.1.0
 */
public final class InterruptSvg {
    private static final int MARGIN = 10;
    private static final int CELL = 26;
    private static final int ROW = 24;
    private static final int PER_LINE = 32;
    private static final int CHARACTER = 7;
    private static final int WIDEST_NAME = 24;
    private static final int LEGEND_WIDTH = 750;

    private static final String STYLE = """
            text { font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1d2733; }
            .title { font-weight: bold; }
            .cpu { text-anchor: middle; }
            rect { stroke: #b9c2cc; stroke-width: 1; }
            .page { fill: #ffffff; stroke: none; }
            .none rect { fill: #f7f9fb; }
            .near rect { fill: #d6eee4; }
            .disk rect { fill: #ee9944; stroke: #8a4b00; }
            .network rect { fill: #4477aa; stroke: #1f3d5c; }
            .steered rect { fill: #a8c6e4; stroke: #1f3d5c; stroke-dasharray: 3 2; }
            .other rect { fill: #d0d5db; stroke: #66717e; }
            @media (prefers-color-scheme: dark) {
            text { fill: #e4e9ef; }
            rect { stroke: #4a545f; }
            .page { fill: #14181d; }
            .none rect { fill: #1b2026; }
            .near rect { fill: #1f4639; }
            .steered rect { fill: #2f4f70; }
            .other rect { fill: #4a545f; }
            }
            """;

    private final Topology topology;
    private final InterruptMap map;
    private final int nameWidth;
    private int y = MARGIN;

    private InterruptSvg(Topology topology, InterruptMap map) {
        this.topology = topology;
        this.map = map;
        int longest = map.devices().stream()
                .mapToInt(device -> device.name().length())
                .max()
                .orElse(0);
        this.nameWidth = (Math.min(WIDEST_NAME, Math.max(5, longest)) + 1) * CHARACTER;
    }

    /** A complete SVG document, with what the colours mean and why some devices have no interrupts. */
    public static String render(Topology topology, InterruptMap map) {
        return new InterruptSvg(topology, map).draw();
    }

    private String draw() {
        List<InterruptPicture.Part> parts = InterruptPicture.parts(topology);
        List<DeviceInterrupts> silent = map.devices().stream()
                .filter(device -> !device.reason().isEmpty())
                .toList();
        int widest = 0;
        int height = 2 * MARGIN + (3 + silent.size()) * ROW;
        for (InterruptPicture.Part part : parts) {
            int cpus = part.cpus().size();
            int lines = (cpus + PER_LINE - 1) / PER_LINE;
            widest = Math.max(widest, Math.min(cpus, PER_LINE) * CELL);
            height += ROW + lines * (map.devices().size() + 1) * ROW + MARGIN;
        }
        int width = 2 * MARGIN + nameWidth + widest;
        for (DeviceInterrupts device : silent) {
            width = Math.max(width, 2 * MARGIN + CHARACTER * why(device).length());
        }
        width = Math.max(width, 2 * MARGIN + LEGEND_WIDTH);
        SvgSheet svg = new SvgSheet("Interrupts of disks and network adapters by CPU", width, height, STYLE);
        line(svg, "title", "Interrupts of disks and network adapters, by the CPU that handles them");
        parts.forEach(part -> addPart(svg, part));
        addLegend(svg);
        silent.forEach(device -> line(svg, "", why(device)));
        return svg.finish();
    }

    private static String why(DeviceInterrupts device) {
        return device.name() + ": " + device.reason();
    }

    private void line(SvgSheet svg, String style, String text) {
        svg.text(style, MARGIN, y + 16, text);
        y += ROW;
    }

    private void addPart(SvgSheet svg, InterruptPicture.Part part) {
        line(svg, "title", part.label());
        int[] cpus = part.cpus().toArray();
        for (int from = 0; from < cpus.length; from += PER_LINE) {
            int to = Math.min(cpus.length, from + PER_LINE);
            svg.text("", MARGIN, y + 16, "CPU");
            for (int i = from; i < to; i++) {
                svg.text("cpu", x(i - from) + CELL / 2, y + 16, Integer.toString(cpus[i]));
            }
            y += ROW;
            for (DeviceInterrupts device : map.devices()) {
                svg.text("", MARGIN, y + 16, Words.shorten(device.name(), WIDEST_NAME));
                for (int i = from; i < to; i++) {
                    addCell(svg, device, cpus[i], x(i - from));
                }
                y += ROW;
            }
        }
        y += MARGIN;
    }

    private int x(int column) {
        return MARGIN + nameWidth + column * CELL;
    }

    private void addCell(SvgSheet svg, DeviceInterrupts device, int cpu, int x) {
        svg.open(style(device, cpu), tooltip(device, cpu));
        svg.rectangle(x + 1, y + 1, CELL - 2, ROW - 2);
        svg.close();
    }

    private String style(DeviceInterrupts device, int cpu) {
        CpuSet local = device.localCpus();
        // A device that is near everything, as all are where there is one node, is near nothing in particular.
        boolean near = local.contains(cpu) && !local.containsAll(topology.cpuSet());
        return switch (InterruptPicture.mark(device, cpu)) {
            case '●' -> device.kind() == DeviceInterrupts.Kind.DISK ? "disk" : "network";
            case '○' -> "steered";
            case '·' -> "other";
            default -> near ? "near" : "none";
        };
    }

    private String tooltip(DeviceInterrupts device, int cpu) {
        StringBuilder text = new StringBuilder(device.name()).append(", CPU ").append(cpu);
        Optional<TopologyObject> core = topology.pu(cpu).flatMap(pu -> pu.ancestor(ObjectType.CORE));
        core.ifPresent(object -> text.append(" (").append(Labels.name(object)).append(')'));
        for (Interrupt interrupt : device.interrupts()) {
            if (interrupt.effective().contains(cpu)) {
                text.append("; IRQ ")
                        .append(interrupt.number())
                        .append(' ')
                        .append(interrupt.action())
                        .append(", ")
                        .append(interrupt.countByCpu().getOrDefault(cpu, 0L))
                        .append(" taken");
            }
        }
        return text.toString();
    }

    private void addLegend(SvgSheet svg) {
        String[][] entries = {
            {"disk", "data of a disk"},
            {"network", "of a network adapter"},
            {"steered", "steered (RPS)"},
            {"other", "events, sent packets"},
            {"near", "near the device"}
        };
        int at = MARGIN;
        for (String[] entry : entries) {
            svg.open(entry[0], "");
            svg.rectangle(at, y + 5, 12, 12);
            svg.close();
            svg.text("", at + 17, y + 16, entry[1]);
            at += 17 + CHARACTER * (entry[1].length() + 2);
        }
        y += ROW;
    }
}
