package org.berth.cli.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.berth.drawing.text.Labels;
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
        List<ThreadRule> unclear = new ArrayList<>();
        if (names.missing().isEmpty()) {
            names.complete()
                    .forEach((tid, name) -> rules.stream()
                            .filter(rule -> rule.matches(name))
                            .findFirst()
                            .ifPresent(rule -> named.add(new Named(tid, name, rule.glob()))));
        } else {
            unclear.addAll(byKernelName(rules, names, named, notes));
        }
        for (ThreadRule rule : rules) {
            if (!unclear.contains(rule)
                    && named.stream().noneMatch(thread -> thread.rule().equals(rule.glob()))) {
                notes.add("no thread falls under rule '" + rule.glob() + "'");
            }
        }
        return new Match(named, notes);
    }

    /** Gives the rules of which it cannot be told whether a thread falls under them, once for each such thread. */
    private static List<ThreadRule> byKernelName(
            List<ThreadRule> rules, ThreadNames names, List<Named> named, List<String> notes) {
        List<ThreadRule> unclear = new ArrayList<>();
        for (Map.Entry<Integer, String> thread : new TreeMap<>(names.kernel()).entrySet()) {
            for (ThreadRule rule : rules) {
                KernelNames.Answer answer = KernelNames.matches(rule, thread.getValue());
                if (answer == KernelNames.Answer.YES) {
                    named.add(new Named(thread.getKey(), thread.getValue(), rule.glob()));
                }
                if (answer == KernelNames.Answer.PERHAPS) {
                    unclear.add(rule);
                }
                if (answer != KernelNames.Answer.NO) {
                    break;
                }
            }
        }
        notes.add("complete thread names are not known (" + names.missing()
                + "), so the rules were held against the 15 bytes that the kernel keeps"
                + (unclear.isEmpty()
                        ? ""
                        : "; " + Labels.count(unclear.size(), "thread") + " could not be told and got no slot"));
        return unclear;
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
