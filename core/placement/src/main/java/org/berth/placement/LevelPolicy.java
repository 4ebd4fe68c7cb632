package org.berth.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.berth.topology.CpuKind;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** The policy of {@link AffinityLevel}. */
final class LevelPolicy implements PlacementPolicy {
    @Override
    public PlacementPlan plan(Topology topology, PlacementRequest request) {
        requireTaskRules(request);
        UsableCpus usable = UsableCpus.of(topology, request);
        Layout layout = new Layout(topology, usable.cpus());
        Seating seating = seating(layout, request);

        List<Place> places = new ArrayList<>();
        for (int worker = 0; worker < request.workers(); worker++) {
            for (int thread = 0; thread < request.threadsPerWorker(); thread++) {
                places.add(seating.place(worker, thread));
            }
        }
        Sharing sharing = new Sharing(places);
        seating.report(sharing);

        MemoryNodes memoryNodes = new MemoryNodes(topology, request.memory());
        List<Slot> slots = new ArrayList<>(places.size());
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            int worker = i / request.threadsPerWorker();
            int thread = i % request.threadsPerWorker();
            slots.add(new Slot(i, worker, thread, Slot.TASK, place.cpus, memoryNodes.of(place), sharing.reason(place)));
        }

        List<String> notes = new ArrayList<>(usable.notes());
        notes.addAll(layout.notes());
        notes.addAll(kinds(topology, usable.cpus()));
        notes.addAll(memoryNodes.notes());
        notes.addAll(sharing.notes());
        return new PlacementPlan(
                request.level(),
                request.memory(),
                usable.cpus(),
                sharing.isOversubscribed(),
                slots,
                request.rules(),
                notes);
    }

    private static Seating seating(Layout layout, PlacementRequest request) {
        return switch (request.level()) {
            case NONE -> Seating.free(List.of(layout.whole()));
            case NUMA -> Seating.free(layout.numaDomains());
            case CPU -> Seating.free(layout.packages());
            case CORE -> GroupSeating.byCore(layout.packages(), request);
            case PU -> GroupSeating.byPu(layout.packages(), request);
        };
    }

    private static void requireTaskRules(PlacementRequest request) {
        for (ThreadRule rule : request.rules()) {
            if (!rule.role().equals(Slot.TASK)) {
                throw new PlacementException("thread rule '" + rule.glob() + "' hands out role '" + rule.role()
                        + "', and the slots of a level have role '" + Slot.TASK + "': use that");
            }
        }
    }

    /** A level does not look at the speed of cores, so a plan over fast and slow ones says so. */
    private static List<String> kinds(Topology topology, CpuSet usable) {
        List<CpuKind> kinds = topology.cpuKinds().stream()
                .filter(kind -> kind.cpus().intersects(usable))
                .toList();
        if (kinds.size() < 2) {
            return List.of();
        }
        String list = kinds.stream()
                .map(kind -> Domain.pus(kind.cpus().intersection(usable)))
                .collect(Collectors.joining("; "));
        return List.of("CPUs of " + kinds.size() + " kinds, whose speed may differ: " + list);
    }
}
