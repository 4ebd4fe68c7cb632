package org.berth.placement;

import java.util.List;

/** Gives every thread of every worker its place. */
interface Seating {
    Place place(int worker, int thread);

    /** Sharing that the places themselves do not show. */
    default void report(Sharing sharing) {}

    /** Workers over domains in turn, each thread anywhere in its worker's domain. */
    static Seating free(List<Domain> domains) {
        List<Place> places = domains.stream().map(Place::anywhereIn).toList();
        return (worker, thread) -> places.get(worker % places.size());
    }
}
