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
 * Slots for the threads that rules name; each thread gets the least used slot. A pure function.
 *
 * @param notes what the names do not show
 */
record ThreadSlots(List<Assigned> assigned, List<String> notes) {
    ThreadSlots {
        assigned = List.copyOf(assigned);
        notes = List.copyOf(notes);
    }

    /** A thread that a rule names, with its slot. */
    record Assigned(int tid, String name, String rule, int slot, CpuSet cpus) {}

    /** A thread and the rule that names it. */
    record Named(int tid, String name, String rule) {}

    /** The threads that match the rules. */
    record Match(List<Named> named, List<String> notes) {}

    static final ThreadSlots NONE = new ThreadSlots(List.of(), List.of());

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
                notes.add("no thread matches rule '" + rule.glob() + "'");
            }
        }
        return new Match(named, notes);
    }

    /** Returns the rules for which a match is unknown, once for each such thread. */
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
        notes.add("complete thread names are unknown (" + names.missing()
                + "), so the rules were compared with the 15 bytes that the kernel keeps"
                + (unclear.isEmpty()
                        ? ""
                        : "; " + Labels.count(unclear.size(), "thread") + " might match and got no slot"));
        return unclear;
    }

    /** Assigns the slots in the order of thread ids. */
    static ThreadSlots assign(Match match, List<Slot> slots) {
        int[] used = new int[slots.size()];
        List<Assigned> assigned = new ArrayList<>();
        for (Named thread : match.named()) {
            int least = 0;
            for (int i = 1; i < used.length; i++) {
                least = used[i] < used[least] ? i : least;
            }
            used[least]++;
            Slot slot = slots.get(least);
            assigned.add(new Assigned(thread.tid(), thread.name(), thread.rule(), slot.index(), slot.cpus()));
        }
        return new ThreadSlots(assigned, match.notes());
    }

    Map<Integer, CpuSet> cpusByThread() {
        Map<Integer, CpuSet> cpus = new TreeMap<>();
        assigned.forEach(one -> cpus.put(one.tid(), one.cpus()));
        return cpus;
    }
}
