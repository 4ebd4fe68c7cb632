package org.berth.drawing.machine;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import org.berth.drawing.internal.text.Canvas.Style;
import org.berth.drawing.internal.text.Labels;
import org.berth.drawing.machine.Picture.Cell;
import org.berth.drawing.machine.Picture.Line;
import org.berth.text.Bytes;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectAttributes.Cache;
import org.berth.topology.type.ObjectType;

/**
 * A part of the machine small enough for one cell of a grid: one core, or a few cores with nothing but caches and
 * groups around them. Memory or devices inside rule that out, for they need lines of their own.
 */
record CoreCell(TopologyObject top, List<TopologyObject> around, List<Core> cores) {
    /**
     * One core (a lone PU counts as one) with the objects between it and the next branching above, and the caches that
     * each of its PUs has for itself.
     */
    record Core(
            TopologyObject object, List<TopologyObject> around, List<TopologyObject> inside, List<TopologyObject> pus) {
        String description(String separator) {
            StringJoiner parts = new StringJoiner(separator);
            for (TopologyObject cache : around) {
                if (Labels.isCache(cache)) {
                    parts.add(Labels.cache(cache));
                }
            }
            for (TopologyObject cache : inside) {
                parts.add(Labels.cache(cache) + " a PU");
            }
            return parts.toString();
        }
    }

    private static final int MOST_PUS = 8;
    private static final int FEW_CORES = 4;
    private static final int MOST_MARKS = 4;

    /** Is empty when the object is too large or holds what a cell cannot show. */
    static Optional<CoreCell> of(TopologyObject object) {
        if (object.cpuSet().isEmpty() || object.cpuSet().size() > MOST_PUS) {
            return Optional.empty();
        }
        List<TopologyObject> around = new ArrayList<>();
        TopologyObject current = object;
        while (isPlain(current) && !isCore(current) && current.children().size() == 1) {
            around.add(current);
            current = current.children().get(0);
        }
        if (!isPlain(current)) {
            return Optional.empty();
        }
        if (isCore(current)) {
            return core(object).map(core -> new CoreCell(object, List.of(), List.of(core)));
        }
        around.add(current);
        List<Core> cores = new ArrayList<>();
        for (TopologyObject child : current.children()) {
            Optional<Core> core = core(child);
            if (core.isEmpty()) {
                return Optional.empty();
            }
            cores.add(core.get());
        }
        return cores.isEmpty() ? Optional.empty() : Optional.of(new CoreCell(object, around, cores));
    }

    private static Optional<Core> core(TopologyObject top) {
        List<TopologyObject> around = new ArrayList<>();
        TopologyObject current = top;
        while (isPlain(current) && !isCore(current)) {
            if (current.children().size() != 1) {
                return Optional.empty();
            }
            around.add(current);
            current = current.children().get(0);
        }
        if (!isPlain(current)) {
            return Optional.empty();
        }
        List<TopologyObject> pus = new ArrayList<>();
        List<TopologyObject> inside = new ArrayList<>();
        if (!addProcessors(current, pus, inside)) {
            return Optional.empty();
        }
        return pus.isEmpty() ? Optional.empty() : Optional.of(new Core(current, around, inside, pus));
    }

    /** PUs below an object; the caches that each has for itself are remembered for the first one. */
    private static boolean addProcessors(TopologyObject object, List<TopologyObject> pus, List<TopologyObject> inside) {
        if (!isPlain(object)) {
            return false;
        }
        if (object.type() == ObjectType.PU) {
            pus.add(object);
            return true;
        }
        if (pus.isEmpty() && Labels.isCache(object)) {
            inside.add(object);
        }
        for (TopologyObject child : object.children()) {
            if (!addProcessors(child, pus, inside)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isCore(TopologyObject object) {
        return object.type() == ObjectType.CORE || object.type() == ObjectType.PU;
    }

    private static boolean isPlain(TopologyObject object) {
        return object.memoryChildren().isEmpty() && object.ioChildren().isEmpty();
    }

    /** True when the cell would hide what deserves a frame: a package, a die, or more than a few cores. */
    boolean hidesMuch() {
        if (cores.size() > FEW_CORES) {
            return true;
        }
        List<TopologyObject> all = new ArrayList<>(around);
        cores.forEach(core -> all.addAll(core.around()));
        return all.stream().anyMatch(object -> object.type() == ObjectType.PACKAGE || object.type() == ObjectType.DIE);
    }

    /** What the cell stands for: the outermost object with a name of its own (a cache says less than a core). */
    TopologyObject unit() {
        if (cores.size() > 1) {
            return top;
        }
        Core core = cores.get(0);
        for (TopologyObject object : core.around()) {
            if (!Labels.isCache(object)) {
                return object;
            }
        }
        return core.object();
    }

    /** Cells of equal kind stand in one grid; how many PUs a core has shows in the cell itself. */
    String kind(CoreKinds kinds) {
        StringBuilder kind = new StringBuilder(Labels.kind(unit()));
        kind.append('|').append(description());
        kind.append('|').append(kinds.of(top.cpuSet()));
        return kind.toString();
    }

    /** "L2 256 KiB · L1d 32 KiB" of a core, "2 MiB · 4 × Core (L1d 32 KiB, L1i 64 KiB each)" of a shared cache. */
    String description() {
        StringJoiner parts = new StringJoiner(Words.SEPARATOR);
        if (unit().type() != ObjectType.CORE && unit().type() != ObjectType.PU) {
            for (TopologyObject object : around) {
                if (Labels.isCache(object)) {
                    parts.add(object == unit() ? Bytes.text(sizeOf(object)) : Labels.cache(object));
                }
            }
            String each = cores.get(0).description(", ");
            parts.add(cores.size() + " × " + Labels.kind(cores.get(0).object())
                    + (each.isEmpty() ? "" : " (" + each + (cores.size() > 1 ? " each)" : ")")));
            return parts.toString();
        }
        return cores.get(0).description(Words.SEPARATOR);
    }

    private static long sizeOf(TopologyObject cache) {
        return cache.attributes() instanceof Cache attributes ? attributes.sizeBytes() : 0;
    }

    /** Name, private caches and PUs, one a line. */
    Cell explicit(CpuSet allowed, boolean mark) {
        List<List<Line>> lines = new ArrayList<>();
        for (Core core : cores) {
            if (core.object().type() == ObjectType.CORE) {
                lines.add(List.of(new Line(Labels.name(core.object()), Style.TITLE)));
            }
            for (TopologyObject object : core.around()) {
                lines.add(List.of(
                        new Line(Labels.isCache(object) ? Labels.cache(object) : Labels.name(object), Style.CACHE)));
            }
            for (TopologyObject cache : core.inside()) {
                lines.add(List.of(new Line(Labels.cache(cache) + " a PU", Style.CACHE)));
            }
            for (TopologyObject pu : core.pus()) {
                boolean usable = allowed.contains(pu.osIndex());
                String sign = !mark ? "" : usable ? "●" : " ";
                lines.add(List.of(new Line(sign + "PU P#" + pu.osIndex(), usable ? Style.ALLOWED : Style.FORBIDDEN)));
            }
        }
        return new Cell(lines);
    }

    /** The marks of the PUs, once if all have the same one; otherwise cores with several PUs begin a line each. */
    Cell marked(CpuSet allowed, Map<Integer, PuMark> marks) {
        int width = marks.values().stream()
                .mapToInt(mark -> mark.text().length())
                .max()
                .orElse(1);
        Set<Line> different = new LinkedHashSet<>();
        List<List<Line>> lines = new ArrayList<>();
        int inLine = MOST_MARKS;
        for (Core core : cores) {
            inLine = core.pus().size() > 1 ? MOST_MARKS : inLine;
            for (TopologyObject pu : core.pus()) {
                if (inLine == MOST_MARKS) {
                    lines.add(new ArrayList<>());
                    inLine = 0;
                } else {
                    lines.get(lines.size() - 1).add(new Line(" ", Style.BORDER));
                }
                Line mark = marked(pu.osIndex(), allowed, marks, width);
                different.add(mark);
                lines.get(lines.size() - 1).add(mark);
                inLine++;
            }
        }
        return new Cell(different.size() == 1 ? List.of(List.copyOf(different)) : lines);
    }

    private static Line marked(int pu, CpuSet allowed, Map<Integer, PuMark> marks, int width) {
        PuMark mark = marks.get(pu);
        if (mark == null) {
            return new Line(pad("·", width), allowed.contains(pu) ? Style.PLAIN : Style.FORBIDDEN);
        }
        return new Line(pad(mark.text(), width), Style.owner(mark.colour()));
    }

    /** The numbers of the PUs alone, three or more in a row as a range. */
    Cell compact(CpuSet allowed, boolean mark, int digits) {
        List<Line> spans = new ArrayList<>();
        boolean threads = cores.stream().anyMatch(core -> core.pus().size() > 1);
        List<Integer> pending = new ArrayList<>();
        for (Core core : cores) {
            if (threads && !spans.isEmpty()) {
                spans.add(new Line(" ┊ ", Style.BORDER));
            }
            core.pus().forEach(pu -> pending.add(pu.osIndex()));
            if (threads) {
                addRuns(spans, pending, allowed, mark, digits);
            }
        }
        addRuns(spans, pending, allowed, mark, digits);
        return new Cell(List.of(spans));
    }

    private static void addRuns(List<Line> spans, List<Integer> pus, CpuSet allowed, boolean mark, int digits) {
        boolean first = true;
        int from = 0;
        while (from < pus.size()) {
            boolean usable = allowed.contains(pus.get(from));
            int to = from;
            while (to + 1 < pus.size()
                    && pus.get(to + 1) == pus.get(to) + 1
                    && allowed.contains(pus.get(to + 1)) == usable) {
                to++;
            }
            if (to < from + 2) {
                to = from;
            }
            String sign = !mark ? "" : usable ? "●" : " ";
            String text = to > from ? pus.get(from) + "-" + pus.get(to) : pad(Integer.toString(pus.get(from)), digits);
            spans.add(new Line((first ? "" : " ") + sign + text, usable ? Style.ALLOWED : Style.FORBIDDEN));
            first = false;
            from = to + 1;
        }
        pus.clear();
    }

    private static String pad(String text, int digits) {
        return " ".repeat(Math.max(0, digits - text.length())) + text;
    }
}
