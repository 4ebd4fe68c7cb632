package org.berth.placement.internal.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.berth.placement.PlacementRequest;
import org.berth.placement.ThreadOrder;

/** The NUMA nodes (or packages) with their L3 caches, and the node of each worker. */
final class CacheHomes {
    private final List<List<CachePlace>> homes = new ArrayList<>();
    private final int[] homeOfWorker;
    private final int[] counts;
    private final int threads;
    private final Crowd crowd;

    /** @param places the best first */
    CacheHomes(List<CachePlace> places, PlacementRequest request) {
        this.threads = request.threadsPerWorker();
        for (CachePlace place : places) {
            homes.stream()
                    .filter(home -> home.get(0).part.isNear(place.part))
                    .findFirst()
                    .orElseGet(() -> {
                        homes.add(new ArrayList<>());
                        return homes.get(homes.size() - 1);
                    })
                    .add(place);
        }
        this.homeOfWorker = new int[request.workers()];
        this.crowd = new Crowd((long) request.workers() * threads, cpus(places));
        int[] room = homes.stream().mapToInt(CacheHomes::cpus).toArray();
        if (crowd.threads() > crowd.units()) {
            findCrowded(room);
        } else {
            find(new Dealing(room), room, request.order() == ThreadOrder.PACK);
        }
        this.counts = Dealing.counts(homeOfWorker, homes.size());
    }

    /**
     * Chooses a home with room in one cache if threads are packed, else with room in several; none when only several
     * homes together have room.
     */
    private void find(Dealing dealing, int[] room, boolean packed) {
        for (int worker = 0; worker < homeOfWorker.length; worker++) {
            int home = packed
                    ? dealing.next(i -> homes.get(i).stream()
                            .mapToInt(place -> place.part.cpus() / threads)
                            .sum())
                    : Dealing.NOWHERE;
            homeOfWorker[worker] = home == Dealing.NOWHERE ? dealing.next(i -> room[i] / threads) : home;
        }
    }

    /** In turn, when no CPU is idle then; otherwise all caches are one home. */
    private void findCrowded(int[] room) {
        int[] dealt = Dealing.crowded(room, homeOfWorker.length);
        int[] workers = Dealing.counts(dealt, room.length);
        boolean even = true;
        for (int i = 0; i < room.length; i++) {
            even &= crowd.isEven((long) workers[i] * threads, room[i]);
        }
        if (even) {
            System.arraycopy(dealt, 0, homeOfWorker, 0, dealt.length);
        } else {
            List<CachePlace> all = homes.stream().flatMap(List::stream).toList();
            homes.clear();
            homes.add(all);
        }
    }

    /** Whether no home has room for the worker. */
    boolean isNowhere(int worker) {
        return homeOfWorker[worker] == Dealing.NOWHERE;
    }

    /** The caches of a worker's home, the best first. */
    List<CachePlace> of(int worker) {
        return homes.get(homeOfWorker[worker]);
    }

    /** The home with most CPUs that no thread has. */
    List<CachePlace> emptiest() {
        return Collections.max(
                homes,
                Comparator.comparing(
                        home -> home.stream().mapToInt(CachePlace::free).sum()));
    }

    /** How many workers share a worker's home. */
    int sharers(int worker) {
        return counts[homeOfWorker[worker]];
    }

    /** How many of these come before a worker. */
    int rank(int worker) {
        int rank = 0;
        for (int before = 0; before < worker; before++) {
            rank += homeOfWorker[before] == homeOfWorker[worker] ? 1 : 0;
        }
        return rank;
    }

    /** Whether all threads of one more worker may have these. */
    boolean hasEnough(List<CachePlace> places) {
        int used = places.stream().mapToInt(place -> place.threads).sum();
        return used + threads <= crowd.mostOnEach() * cpus(places);
    }

    private static int cpus(List<CachePlace> places) {
        return places.stream().mapToInt(place -> place.part.cpus()).sum();
    }
}
