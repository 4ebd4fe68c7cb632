package org.berth.cli.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.berth.drawing.machine.PuMark;
import org.berth.drawing.machine.TopologyPicture;
import org.berth.drawing.machine.TopologySvg;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.berth.text.Words;
import org.berth.topology.Topology;

/** A plan on the picture of its machine: the numbers of workers in their CPUs. A pure function. */
final class PlanPicture {
    /** The cell of a CPU that workers share names this number of them. */
    private static final int NAMED = 2;

    private PlanPicture() {}

    static String svg(Topology topology, PlacementPlan plan, String headline) {
        List<String> captions = new ArrayList<>(List.of(
                headline, "P#N" + Words.SEPARATOR + "W: threads of worker W have the CPU with the kernel's number N."));
        captions.addAll(plan.notes());
        return TopologySvg.render(topology, captions, marks(plan));
    }

    static String text(Topology topology, PlacementPlan plan, int columns, boolean utf8, boolean colour) {
        String legend = "A number is a worker, in the order of the CPUs; one alone has its whole cell, and · is a"
                + " CPU without one.";
        return TopologyPicture.render(topology, List.of(legend), marks(plan), columns, utf8, colour);
    }

    private static Map<Integer, PuMark> marks(PlacementPlan plan) {
        Map<Integer, Set<Integer>> workers = new TreeMap<>();
        for (Slot slot : plan.slots()) {
            slot.cpus().stream()
                    .forEach(cpu ->
                            workers.computeIfAbsent(cpu, one -> new TreeSet<>()).add(slot.worker()));
        }
        Map<Integer, PuMark> marks = new HashMap<>();
        workers.forEach(
                (cpu, all) -> marks.put(cpu, new PuMark(all.iterator().next(), text(all), Words.capital(names(all)))));
        return marks;
    }

    private static String text(Set<Integer> workers) {
        String named = workers.stream().limit(NAMED).map(String::valueOf).collect(Collectors.joining(","));
        return workers.size() > NAMED ? named + "…" : named;
    }

    private static String names(Set<Integer> workers) {
        return (workers.size() > 1 ? "workers " : "worker ")
                + workers.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
