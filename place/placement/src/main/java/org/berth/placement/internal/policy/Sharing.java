package org.berth.placement.internal.policy;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.berth.placement.internal.parts.CpuChoice;
import org.berth.placement.internal.parts.HostPart;
import org.berth.text.Words;

/** Which slots share CPUs, in as few lines as possible; never silent. */
final class Sharing {
    private final IdentityHashMap<CpuChoice, Integer> threadsByChoice = new IdentityHashMap<>();
    private final Map<String, List<HostPart>> domainsByStatement = new LinkedHashMap<>();

    Sharing(List<CpuChoice> choices) {
        // The map by identity has no order of its own, so domains are visited in the order of the choices.
        IdentityHashMap<HostPart, Tally> tallies = new IdentityHashMap<>();
        List<HostPart> domains = new ArrayList<>();
        for (CpuChoice choice : choices) {
            int threads = threadsByChoice.merge(choice, 1, Integer::sum);
            Tally tally = tallies.computeIfAbsent(choice.domain, domain -> {
                domains.add(domain);
                return new Tally();
            });
            tally.add(choice, threads);
        }
        for (HostPart domain : domains) {
            Tally tally = Objects.requireNonNull(tallies.get(domain));
            if (tally.shared) {
                add(tally.toString(), domain);
            }
        }
    }

    void add(String statement, HostPart domain) {
        domainsByStatement.computeIfAbsent(statement, key -> new ArrayList<>()).add(domain);
    }

    boolean isOversubscribed() {
        return !domainsByStatement.isEmpty();
    }

    /** The reason of a choice, with its sharers when there are too many. */
    String reason(CpuChoice choice) {
        int threads = Objects.requireNonNull(threadsByChoice.get(choice));
        return threads > choice.capacity
                ? choice.reason + ", shared by " + Words.count(threads, "thread")
                : choice.reason;
    }

    /** One line for all domains of which the same is to be said. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        domainsByStatement.forEach((statement, domains) -> {
            List<Integer> indexes = domains.stream()
                    .flatMap(domain -> domain.logicalIndexes().stream())
                    .toList();
            String where = HostPart.label(domains.get(0).noun(), indexes);
            notes.add(where + ": " + (domains.size() > 1 ? "in each, " : "") + statement);
        });
        return notes;
    }

    /** The CPUs that the threads of one domain use. */
    private static final class Tally {
        private int threads;
        private int units;
        /** Most threads on one unit; 0 where they move freely over several. */
        private int most;

        private String unit = "";
        private boolean shared;

        void add(CpuChoice choice, int threadsThere) {
            threads++;
            unit = choice.unit;
            units += threadsThere == 1 ? choice.capacity : 0;
            most = choice.capacity == 1 ? Math.max(most, threadsThere) : 0;
            shared |= threadsThere > choice.capacity;
        }

        @Override
        public String toString() {
            String each = most > 0 ? ", up to " + most + " on each" : "";
            return Words.count(threads, "thread") + " share " + Words.count(units, unit) + each;
        }
    }
}
