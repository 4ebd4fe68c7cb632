package org.berth.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.berth.drawing.internal.svg.Markup;
import org.berth.drawing.internal.text.Labels;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/** The machine once for each arm, with the slots of the arm's threads in it; boxes that wrap on a small screen. */
final class ReportSlots {
    private static final int NAMED_THREADS = 2;
    /** Slots that a caption lists; the picture shows all. */
    private static final int LISTED_SLOTS = 32;
    /** Machines with more logical CPUs are drawn smaller. */
    private static final int LARGE = 64;

    private final Markup out;
    private final CpuSet allowed;
    private final ReportArm arm;
    private final Map<Integer, String> threadsOfCpu = new HashMap<>();

    private ReportSlots(Markup out, Topology topology, ReportArm arm) {
        this.out = out;
        this.allowed = topology.allowedCpuSet();
        this.arm = arm;
        for (int cpu : topology.cpuSet().toArray()) {
            threadsOfCpu.put(cpu, threads(cpu));
        }
    }

    static void draw(Markup out, ReportData data) {
        out.open("div", "class", "cards");
        for (ReportArm arm : data.arms()) {
            new ReportSlots(out, data.topology(), arm).draw(data.topology());
        }
        out.close();
        out.open("p", "class", "note");
        out.leaf("span", "", "class", "pu key used")
                .text(" a thread of the work may run here, T is its number (any: all may); ");
        out.leaf("span", "", "class", "pu key").text(" allowed, but in no slot; ");
        out.leaf("span", "", "class", "pu key out").text(" not allowed. Numbers are logical CPUs (P#).");
        out.close();
    }

    private void draw(Topology topology) {
        boolean dense = topology.cpuSet().size() > LARGE;
        out.open("figure", "class", "card").leaf("h3", arm.name());
        out.open(
                "div",
                "class",
                dense ? "chart machine dense" : "chart machine",
                "role",
                "img",
                "aria-label",
                arm.name() + ": " + describe());
        box(topology.root());
        out.close();
        out.leaf("figcaption", describe());
        out.close();
    }

    /** Slots with the same CPUs are one entry. */
    private String describe() {
        if (arm.slots().isEmpty()) {
            return "No plan: the command itself decides where it runs.";
        }
        if (!arm.bound()) {
            return "Not bound: every thread may run on every allowed CPU (" + allowed + ").";
        }
        if (arm.slots().size() == 1) {
            return "Bound as a whole: every thread may run on CPU "
                    + arm.slots().get(0) + ".";
        }
        Map<String, List<Integer>> slots = new LinkedHashMap<>();
        for (int thread = 0; thread < arm.slots().size(); thread++) {
            slots.computeIfAbsent(arm.slots().get(thread).toString(), cpus -> new ArrayList<>())
                    .add(thread);
        }
        int more = slots.size() - LISTED_SLOTS;
        return slots.entrySet().stream()
                .limit(LISTED_SLOTS)
                .map(slot -> (slot.getValue().size() == 1
                                ? "T" + slot.getValue().get(0)
                                : Words.count(slot.getValue().size(), "thread"))
                        + " on CPU " + slot.getKey())
                .collect(
                        Collectors.joining("; ", "", more > 0 ? "; and " + Words.count(more, "more slot") + "." : "."));
    }

    private void box(TopologyObject object) {
        ObjectType type = object.type();
        if (type == ObjectType.PU) {
            processor(object.osIndex());
            return;
        }
        boolean core = type == ObjectType.CORE;
        String title = title(object);
        boolean framed = core || !title.isEmpty();
        if (framed) {
            out.open("div", "class", core ? "core" : "frame");
            if (!core) {
                out.leaf("div", title, "class", "frame-title");
            }
            out.open("div", "class", "inside");
        }
        object.children().forEach(this::box);
        if (framed) {
            out.close().close();
        }
    }

    /** Is empty for what is left out: private caches and groups. */
    private static String title(TopologyObject object) {
        String own = switch (object.type()) {
            case MACHINE, PACKAGE, DIE -> Labels.name(object);
            case L3_CACHE -> Labels.cache(object);
            default -> "";
        };
        String nodes = object.memoryChildren().stream()
                .filter(child -> child.type() == ObjectType.NUMA_NODE)
                .map(Labels::memory)
                .collect(Collectors.joining(Words.SEPARATOR));
        return own.isEmpty() || nodes.isEmpty() ? own + nodes : own + Words.SEPARATOR + nodes;
    }

    private void processor(int cpu) {
        String threads = threadsOfCpu.getOrDefault(cpu, "");
        String style = !allowed.contains(cpu) ? "pu out" : threads.isEmpty() ? "pu" : "pu used";
        out.open("span", "class", style).text(Integer.toString(cpu));
        if (!threads.isEmpty()) {
            out.leaf("small", threads);
        }
        out.close();
    }

    private String threads(int cpu) {
        List<Integer> here = IntStream.range(0, arm.slots().size())
                .filter(thread -> arm.slots().get(thread).contains(cpu))
                .boxed()
                .toList();
        if (here.isEmpty()) {
            return "";
        }
        if (!arm.bound() || here.size() == arm.slots().size()) {
            return "any";
        }
        return here.size() <= NAMED_THREADS
                ? here.stream().map(thread -> "T" + thread).collect(Collectors.joining(" "))
                : here.size() + " T";
    }
}
