package org.berth.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.berth.topology.CpuSet;

/**
 * Workers over the NUMA nodes (or packages) in turn, and in each over its L3 caches in turn; each thread anywhere in one
 * cache. A worker that fits into a cache gets one. A larger one gets several: alike ones of its node when they have room,
 * else any of its node, else any of the machine.
 */
final class CacheChooser implements CpuChooser {
    private final PlacementRequest request;
    private final List<Place> places = new ArrayList<>();
    private final List<List<Place>> homes = new ArrayList<>();
    private final List<List<CpuChoice>> choicesByWorker = new ArrayList<>();
    private final List<String> notes;
    private CpuSet unlike = CpuSet.empty();
    private CpuSet beyond = CpuSet.empty();

    /** A cache, and what uses it so far. */
    private static final class Place {
        private final CachePart part;
        private final CpuChoice choice;
        private int workers;
        private int threads;

        Place(CachePart part) {
            this.part = part;
            this.choice = CpuChoice.anywhereIn(part.domain()).explained("", reason(part));
        }

        /** A part that stands for its node or package says so already. */
        private static String reason(CachePart part) {
            return part.domain().logicalIndexes().isEmpty() ? "" : " of " + part.home();
        }

        int free() {
            return part.cpus() - threads;
        }
    }

    CacheChooser(CacheLayout layout, PlacementRequest request) {
        this.request = request;
        this.notes = new ArrayList<>(layout.notes());
        layout.parts().stream().sorted(CachePart.BEST_FIRST).map(Place::new).forEach(place -> {
            places.add(place);
            homes.stream()
                    .filter(home -> home.get(0).part.isNear(place.part))
                    .findFirst()
                    .orElseGet(() -> {
                        homes.add(new ArrayList<>());
                        return homes.get(homes.size() - 1);
                    })
                    .add(place);
        });
        for (int worker = 0; worker < request.workers(); worker++) {
            choicesByWorker.add(choices(worker));
        }
        note();
    }

    @Override
    public CpuChoice choose(int worker, int thread) {
        return choicesByWorker.get(worker).get(thread);
    }

    /** To be asked when all workers have their choices. */
    List<String> notes() {
        return notes;
    }

    private void note() {
        if (request.order() != ThreadOrder.PACK) {
            notes.add("order " + request.order().word() + ": a worker's threads take L3 caches in turn");
        }
        if (!beyond.isEmpty()) {
            notes.add(workers(beyond)
                    + " more threads than its NUMA node, or package, has free CPUs: L3 caches of others" + " follow");
        }
        if (!unlike.isEmpty()) {
            notes.add(workers(unlike)
                    + " threads on L3 caches that differ in size or in the speed of their CPUs: equal tasks may take"
                    + " unequal times");
        }
    }

    private static String workers(CpuSet numbers) {
        return numbers.size() == 1 ? "worker " + numbers + " has" : "each of the workers " + numbers + " has";
    }

    private List<CpuChoice> choices(int worker) {
        List<Place> home = homes.get(worker % homes.size());
        List<Place> chosen =
                request.order() == ThreadOrder.PACK ? packed(home) : spread(home, worker / homes.size(), worker);
        chosen.forEach(place -> place.workers++);
        List<Place> dealt = request.order() == ThreadOrder.PACK ? fill(chosen) : deal(chosen);
        List<Place> used = dealt.stream().distinct().toList();
        if (used.stream().anyMatch(place -> !place.part.isLike(used.get(0).part))) {
            unlike = unlike.with(worker);
        }
        if (used.stream().anyMatch(place -> !place.part.isNear(home.get(0).part))) {
            beyond = beyond.with(worker);
        }
        return dealt.stream().map(place -> place.choice).toList();
    }

    /** The best cache that is large enough, and of these the one with the fewest workers; else several. */
    private List<Place> packed(List<Place> home) {
        int threads = request.threadsPerWorker();
        return home.stream()
                .filter(place -> place.part.cpus() >= threads)
                .min(Comparator.comparing((Place place) -> place.free() < threads)
                        .thenComparing(place -> place.workers))
                .map(List::of)
                .orElseGet(() -> enough(home, home, true));
    }

    /** The worker's share of its node's caches, in which neighbours stay together. */
    private List<Place> spread(List<Place> home, int rank, int worker) {
        int sharers =
                request.workers() / homes.size() + (worker % homes.size() < request.workers() % homes.size() ? 1 : 0);
        int from = (int) ((long) rank * home.size() / sharers);
        int to = Math.max(from + 1, (int) ((rank + 1L) * home.size() / sharers));
        return enough(home.subList(from, to), home, request.order() == ThreadOrder.SPREAD);
    }

    /** The smallest of these with a free CPU for each thread: alike caches of the share, the share, the node, the machine. */
    private List<Place> enough(List<Place> share, List<Place> home, boolean alike) {
        List<List<Place>> candidates = new ArrayList<>();
        for (List<Place> part : List.of(share, home)) {
            for (int i = 0; alike && i < part.size(); i++) {
                CachePart first = part.get(i).part;
                if (i == 0 || !first.isLike(part.get(i - 1).part)) {
                    candidates.add(where(part, place -> place.part.isLike(first)));
                }
            }
            candidates.add(part);
        }
        for (List<Place> candidate : candidates) {
            if (candidate.stream()
                            .mapToInt(Place::free)
                            .filter(free -> free > 0)
                            .sum()
                    >= request.threadsPerWorker()) {
                return candidate;
            }
        }
        // A worker that could be alone in its node shares that; only one that is larger goes beyond.
        if (home.stream().mapToInt(place -> place.part.cpus()).sum() >= request.threadsPerWorker()) {
            return share.stream().mapToInt(place -> place.part.cpus()).sum() >= request.threadsPerWorker()
                    ? share
                    : home;
        }
        for (Place place : places) {
            if (place.free() >= request.threadsPerWorker()) {
                return List.of(place);
            }
        }
        List<Place> all = new ArrayList<>(home);
        int packageIndex = home.get(0).part.packageIndex();
        for (boolean samePackage : List.of(true, false)) {
            all.addAll(where(
                    places,
                    place -> !home.contains(place) && samePackage == (place.part.packageIndex() == packageIndex)));
        }
        return all;
    }

    private static List<Place> where(List<Place> from, Predicate<Place> which) {
        return from.stream().filter(which).toList();
    }

    /** Empty caches first, each filled before the next; threads that find none free are dealt in turn. */
    private List<Place> fill(List<Place> chosen) {
        List<Place> dealt = new ArrayList<>();
        List<Place> order = chosen.stream()
                .sorted(Comparator.comparing((Place place) -> place.threads > 0))
                .toList();
        for (Place place : order) {
            while (dealt.size() < request.threadsPerWorker() && place.free() > 0) {
                take(place, dealt);
            }
        }
        return dealt.size() < request.threadsPerWorker() ? dealOn(dealt, order) : dealt;
    }

    private List<Place> deal(List<Place> chosen) {
        return dealOn(new ArrayList<>(), chosen);
    }

    /** The rest of the threads in turn, caches without a free CPU only when all are so. */
    private List<Place> dealOn(List<Place> dealt, List<Place> order) {
        int next = 0;
        while (dealt.size() < request.threadsPerWorker()) {
            boolean room = order.stream().anyMatch(place -> place.free() > 0);
            Place place = order.get(next++ % order.size());
            if (!room || place.free() > 0) {
                take(place, dealt);
            }
        }
        return dealt;
    }

    private static void take(Place place, List<Place> dealt) {
        place.threads++;
        dealt.add(place);
    }
}
