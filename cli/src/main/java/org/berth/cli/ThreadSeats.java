package org.berth.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.berth.placement.Slot;
import org.berth.placement.ThreadRule;
import org.berth.topology.CpuSet;

/**
 * Single slots for the threads that rules name, the least used slot first. A pure function.
 *
 * @param notes what could not be told from the names
 */
record ThreadSeats(List<Seat> seats, List<String> notes) {
    ThreadSeats {
        seats = List.copyOf(seats);
        notes = List.copyOf(notes);
    }

    /** One thread that a rule names; the slot is set when it is seated. */
    record Seat(int tid, String name, String rule, int slot, CpuSet cpus) {}

    /** A thread and the rule that names it. */
    record Named(int tid, String name, String rule) {}

    /** Who falls under the rules. */
    record Match(List<Named> named, List<String> notes) {}

    static final ThreadSeats NONE = new ThreadSeats(List.of(), List.of());

    static Match match(List<ThreadRule> rules, ThreadNames names) {
        List<Named> named = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        if (names.missing().isEmpty()) {
            names.complete().forEach((tid, name) -> rules.stream()
                    .filter(rule -> rule.matches(name))
                    .findFirst()
                    .ifPresent(rule -> named.add(new Named(tid, name, rule.glob()))));
        } else {
            byKernelName(rules, names, named, notes);
        }
        for (ThreadRule rule : rules) {
            if (named.stream().noneMatch(thread -> thread.rule().equals(rule.glob()))) {
                notes.add("no thread falls under rule '" + rule.glob() + "'");
            }
        }
        return new Match(named, notes);
    }

    private static void byKernelName(
            List<ThreadRule> rules, ThreadNames names, List<Named> named, List<String> notes) {
        int unclear = 0;
        for (Map.Entry<Integer, String> thread : new TreeMap<>(names.kernel()).entrySet()) {
            for (ThreadRule rule : rules) {
                KernelNames.Answer answer = KernelNames.matches(rule, thread.getValue());
                if (answer == KernelNames.Answer.YES) {
                    named.add(new Named(thread.getKey(), thread.getValue(), rule.glob()));
                }
                unclear += answer == KernelNames.Answer.PERHAPS ? 1 : 0;
                if (answer != KernelNames.Answer.NO) {
                    break;
                }
            }
        }
        notes.add("complete thread names are not known (" + names.missing()
                + "), so the rules were held against the 15 bytes that the kernel keeps"
                + (unclear == 0 ? "" : "; " + Labels.count(unclear, "thread") + " could not be told and got no slot"));
    }

    /** Hands the slots out in the order of thread ids. */
    static ThreadSeats seat(Match match, List<Slot> slots) {
        int[] used = new int[slots.size()];
        List<Seat> seats = new ArrayList<>();
        for (Named thread : match.named()) {
            int least = 0;
            for (int i = 1; i < used.length; i++) {
                least = used[i] < used[least] ? i : least;
            }
            used[least]++;
            Slot slot = slots.get(least);
            seats.add(new Seat(thread.tid(), thread.name(), thread.rule(), slot.index(), slot.cpus()));
        }
        return new ThreadSeats(seats, match.notes());
    }

    Map<Integer, CpuSet> cpusByThread() {
        Map<Integer, CpuSet> cpus = new TreeMap<>();
        seats.forEach(seat -> cpus.put(seat.tid(), seat.cpus()));
        return cpus;
    }
}
