package org.berth.placement;

import java.util.ArrayList;
import java.util.List;

/**
 * Workers over packages in turn; the cores of a package are cut into contiguous groups, one for each worker there, of
 * sizes that differ by one at most. A worker's threads take the places of its group in turn.
 */
final class GroupSeating implements Seating {
    private final List<Domain> packages;
    private final int workers;
    private final List<List<Place>> placesByWorker = new ArrayList<>();

    private GroupSeating(List<Domain> packages, PlacementRequest request, PlaceOrder order) {
        this.packages = packages;
        this.workers = request.workers();
        List<List<List<Place>>> ladders = packages.stream()
                .map(home -> home.cores().stream()
                        .map(core -> order.placesOf(core, home))
                        .toList())
                .toList();
        for (int worker = 0; worker < workers; worker++) {
            int home = worker % packages.size();
            placesByWorker.add(group(ladders.get(home), worker / packages.size(), workersIn(home), request));
        }
    }

    /** Each thread a core with all its PUs. */
    static Seating byCore(List<Domain> packages, PlacementRequest request) {
        return new GroupSeating(packages, request, (core, home) -> List.of(Place.core(core, home)));
    }

    /** Each thread a PU, first PUs of all cores before second ones. */
    static Seating byPu(List<Domain> packages, PlacementRequest request) {
        return new GroupSeating(packages, request, (core, home) -> {
            List<Place> places = new ArrayList<>();
            for (int rank = 0; rank < core.pus().size(); rank++) {
                places.add(Place.pu(core, rank, home));
            }
            return places;
        });
    }

    @Override
    public Place place(int worker, int thread) {
        List<Place> places = placesByWorker.get(worker);
        return places.get(thread % places.size());
    }

    @Override
    public void report(Sharing sharing) {
        for (int home = 0; home < packages.size(); home++) {
            int cores = packages.get(home).cores().size();
            if (workersIn(home) > cores) {
                sharing.add(workersIn(home) + " workers share " + Sharing.count(cores, "core"), packages.get(home));
            }
        }
    }

    private int workersIn(int home) {
        return workers / packages.size() + (home < workers % packages.size() ? 1 : 0);
    }

    /** The places of the worker that is the rank-th of so many in a package, in the order of use. */
    private static List<Place> group(List<List<Place>> cores, int rank, int sharers, PlacementRequest request) {
        int from = firstCore(rank, sharers, cores.size());
        int to = Math.max(from + 1, firstCore(rank + 1, sharers, cores.size()));
        List<Place> places = new ArrayList<>();
        for (int round = 0; places.size() < request.threadsPerWorker(); round++) {
            int before = places.size();
            for (List<Place> core : cores.subList(from, to)) {
                if (round < core.size()) {
                    places.add(core.get(round));
                }
            }
            if (places.size() == before) {
                break;
            }
        }
        if (sharers <= cores.size()) {
            return places;
        }
        return rotatedPastEarlierSharers(cores.get(from), rank, sharers, cores.size(), request.threadsPerWorker());
    }

    /** Workers that have to share one core go on where the one before them stopped, so that its PUs are used evenly. */
    private static List<Place> rotatedPastEarlierSharers(
            List<Place> core, int rank, int sharers, int cores, int threadsPerWorker) {
        int earlier = 0;
        int from = firstCore(rank, sharers, cores);
        while (rank - earlier > 0 && firstCore(rank - earlier - 1, sharers, cores) == from) {
            earlier++;
        }
        int start = (int) ((long) earlier * threadsPerWorker % core.size());
        List<Place> places = new ArrayList<>(core.subList(start, core.size()));
        places.addAll(core.subList(0, start));
        return places;
    }

    private static int firstCore(int rank, int sharers, int cores) {
        return (int) ((long) rank * cores / sharers);
    }

    /** The places that a level makes of one core, in the order of use. */
    private interface PlaceOrder {
        List<Place> placesOf(Core core, Domain home);
    }
}
