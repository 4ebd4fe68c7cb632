package org.berth.placement.internal.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.berth.placement.PlacementRequest;
import org.berth.placement.ThreadOrder;
import org.berth.placement.internal.parts.CpuChoice;
import org.berth.topology.CpuSet;

/**
 * Distributes workers over the NUMA nodes (or packages) in turn, and in each over its L3 caches in turn; each thread
 * runs anywhere in one cache. A worker that fits into a cache gets one. A larger one gets several: alike ones of its
 * node when they have room, else any of its node, else any of the machine. No two threads share a PU while another one
 * is free. */
final class CacheChooser implements CpuChooser {
    private final PlacementRequest request;
    private final List<CachePlace> places;
    private final CacheHomes homes;
    private final List<List<CpuChoice>> choicesByWorker = new ArrayList<>();
    private final List<String> notes;
    private CpuSet unlike = CpuSet.empty();
    private CpuSet beyond = CpuSet.empty();

    CacheChooser(CacheLayout layout, PlacementRequest request) {
        this.request = request;
        this.notes = new ArrayList<>(layout.notes());
        this.places = layout.parts().stream()
                .sorted(CachePart.BEST_FIRST)
                .map(CachePlace::new)
                .toList();
        this.homes = new CacheHomes(places, request);
        for (int worker = 0; worker < request.workers(); worker++) {
            choicesByWorker.add(choices(worker));
        }
        note();
    }

    @Override
    public CpuChoice choose(int worker, int thread) {
        return choicesByWorker.get(worker).get(thread);
    }

    @Override
    public List<String> notes() {
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
        List<CachePlace> dealt = dealt(worker);
        Set<CachePlace> used = new LinkedHashSet<>(dealt);
        used.forEach(place -> place.workers++);
        CachePart first = dealt.get(0).part;
        if (used.stream().anyMatch(place -> !place.part.isLike(first))) {
            unlike = unlike.with(worker);
        }
        if (used.stream().anyMatch(place -> !place.part.isNear(first))) {
            beyond = beyond.with(worker);
        }
        return dealt.stream().map(place -> place.choice).toList();
    }

    private List<CachePlace> dealt(int worker) {
        boolean pack = request.order() == ThreadOrder.PACK;
        if (homes.isNowhere(worker)) {
            List<CachePlace> all = beyondNodes();
            return pack ? fill(all) : deal(all);
        }
        List<CachePlace> home = homes.of(worker);
        if (free(home) < request.threadsPerWorker()) {
            return crowd(home, pack ? home : share(home, worker));
        }
        return pack
                ? fill(packed(home))
                : deal(enough(share(home, worker), home, request.order() == ThreadOrder.SPREAD));
    }

    /** The best cache that has room, and of these the one with the fewest workers; else several. */
    private List<CachePlace> packed(List<CachePlace> home) {
        return home.stream()
                .filter(place -> place.free() >= request.threadsPerWorker())
                .min(Comparator.comparing(place -> place.workers))
                .map(List::of)
                .orElseGet(() -> enough(home, home, true));
    }

    /** The worker's share of its node's caches, in which neighbours stay together. */
    private List<CachePlace> share(List<CachePlace> home, int worker) {
        int sharers = homes.sharers(worker);
        int rank = homes.rank(worker);
        int from = (int) ((long) rank * home.size() / sharers);
        int to = Math.max(from + 1, (int) ((rank + 1L) * home.size() / sharers));
        return home.subList(from, to);
    }

    /**
     * The smallest of these with a free CPU for each thread: alike caches of the share, the share, alike ones of the
     * node, the node.
     */
    private List<CachePlace> enough(List<CachePlace> share, List<CachePlace> home, boolean alike) {
        for (List<CachePlace> part : List.of(share, home)) {
            for (int i = 0; alike && i < part.size(); i++) {
                CachePart first = part.get(i).part;
                if (i == 0 || !first.isLike(part.get(i - 1).part)) {
                    List<CachePlace> candidate = part.stream()
                            .filter(place -> place.part.isLike(first))
                            .toList();
                    if (free(candidate) >= request.threadsPerWorker()) {
                        return candidate;
                    }
                }
            }
            if (free(part) >= request.threadsPerWorker()) {
                return part;
            }
        }
        return home;
    }

    /** All caches: those of the node with most free CPUs first, then others of its package. */
    private List<CachePlace> beyondNodes() {
        CachePart first = homes.emptiest().get(0).part;
        return places.stream()
                .sorted(Comparator.comparing((CachePlace place) -> !place.part.isNear(first))
                        .thenComparing(place -> place.part.packageIndex() != first.packageIndex()))
                .toList();
    }

    /**
     * Too few free CPUs in the node, as in every other one: the free ones, and then caches with the fewest threads for
     * their size.
     */
    private List<CachePlace> crowd(List<CachePlace> home, List<CachePlace> share) {
        int threads = request.threadsPerWorker();
        List<CachePlace> dealt = new ArrayList<>();
        for (CachePlace place : home) {
            while (place.free() > 0) {
                take(place, dealt);
            }
        }
        List<CachePlace> candidates = List.of(Collections.min(home, CachePlace.LEAST_USED));
        if (request.order() != ThreadOrder.PACK || !dealt.isEmpty() || !homes.hasEnough(candidates)) {
            candidates = homes.hasEnough(share) ? share : home;
        }
        while (dealt.size() < threads) {
            take(Collections.min(candidates, CachePlace.LEAST_USED), dealt);
        }
        return dealt;
    }

    private static int free(List<CachePlace> places) {
        return places.stream()
                .mapToInt(CachePlace::free)
                .filter(free -> free > 0)
                .sum();
    }

    /** Takes empty caches first and fills each before the next. */
    private List<CachePlace> fill(List<CachePlace> chosen) {
        List<CachePlace> dealt = new ArrayList<>();
        List<CachePlace> order = chosen.stream()
                .sorted(Comparator.comparing((CachePlace place) -> place.threads > 0))
                .toList();
        for (CachePlace place : order) {
            while (dealt.size() < request.threadsPerWorker() && place.free() > 0) {
                take(place, dealt);
            }
        }
        return dealt;
    }

    /** In turn those that have a free CPU. */
    private List<CachePlace> deal(List<CachePlace> chosen) {
        List<CachePlace> dealt = new ArrayList<>();
        for (int next = 0; dealt.size() < request.threadsPerWorker(); next++) {
            CachePlace place = chosen.get(next % chosen.size());
            if (place.free() > 0) {
                take(place, dealt);
            }
        }
        return dealt;
    }

    private static void take(CachePlace place, List<CachePlace> dealt) {
        place.threads++;
        dealt.add(place);
    }
}
