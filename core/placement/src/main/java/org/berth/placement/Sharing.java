package org.berth.placement;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Who has to share what: never silent, and as few lines as can say it. */
final class Sharing {
    private final IdentityHashMap<Place, Integer> threadsByPlace = new IdentityHashMap<>();
    private final Map<String, List<Domain>> homesByStatement = new LinkedHashMap<>();

    Sharing(List<Place> places) {
        // The map by identity has no order of its own, so homes are visited in the order of the places.
        IdentityHashMap<Domain, Tally> tallies = new IdentityHashMap<>();
        List<Domain> homes = new ArrayList<>();
        for (Place place : places) {
            int threads = threadsByPlace.merge(place, 1, Integer::sum);
            Tally tally = tallies.computeIfAbsent(place.home, home -> {
                homes.add(home);
                return new Tally();
            });
            tally.add(place, threads);
        }
        for (Domain home : homes) {
            Tally tally = Objects.requireNonNull(tallies.get(home));
            if (tally.shared) {
                add(tally.toString(), home);
            }
        }
    }

    void add(String statement, Domain home) {
        homesByStatement.computeIfAbsent(statement, key -> new ArrayList<>()).add(home);
    }

    boolean isOversubscribed() {
        return !homesByStatement.isEmpty();
    }

    /** The place's reason, with its sharers when there are too many. */
    String reason(Place place) {
        int threads = Objects.requireNonNull(threadsByPlace.get(place));
        return threads > place.capacity ? place.reason + ", shared by " + count(threads, "thread") : place.reason;
    }

    /** One line for all domains of which the same is to be said. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        homesByStatement.forEach((statement, homes) -> {
            List<Integer> indexes = homes.stream()
                    .flatMap(home -> home.logicalIndexes().stream())
                    .toList();
            String where = Domain.label(homes.get(0).noun(), indexes);
            notes.add(where + ": " + (homes.size() > 1 ? "in each, " : "") + statement);
        });
        return notes;
    }

    static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    /** What the threads of one domain use. */
    private static final class Tally {
        private int threads;
        private int units;
        /** Most threads on one unit; 0 where they move freely over several. */
        private int most;

        private String unit = "";
        private boolean shared;

        void add(Place place, int threadsThere) {
            threads++;
            unit = place.unit;
            units += threadsThere == 1 ? place.capacity : 0;
            most = place.capacity == 1 ? Math.max(most, threadsThere) : 0;
            shared |= threadsThere > place.capacity;
        }

        @Override
        public String toString() {
            String each = most > 0 ? ", up to " + most + " on each" : "";
            return count(threads, "thread") + " share " + count(units, unit) + each;
        }
    }
}
