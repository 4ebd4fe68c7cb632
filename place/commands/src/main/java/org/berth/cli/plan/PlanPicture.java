package org.berth.cli.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
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

    static String render(Topology topology, PlacementPlan plan, String headline) {
        Map<Integer, Set<Integer>> workers = new TreeMap<>();
        for (Slot slot : plan.slots()) {
            slot.cpus().stream()
                    .forEach(cpu ->
                            workers.computeIfAbsent(cpu, one -> new TreeSet<>()).add(slot.worker()));
        }
        Map<Integer, TopologySvg.Mark> marks = new HashMap<>();
        workers.forEach((cpu, all) ->
                marks.put(cpu, new TopologySvg.Mark(all.iterator().next(), text(all), Words.capital(names(all)))));
        List<String> captions = new ArrayList<>(List.of(
                headline, "P#N" + Words.SEPARATOR + "W: threads of worker W have the CPU with the kernel's number N."));
        captions.addAll(plan.notes());
        return TopologySvg.render(topology, captions, marks);
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
