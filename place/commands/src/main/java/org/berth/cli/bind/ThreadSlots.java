package org.berth.cli.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.berth.cli.shared.jvm.ThreadNames;
import org.berth.placement.Slot;
import org.berth.placement.ThreadRule;
import org.berth.text.Words;
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

    /**
     * The threads that match the rules.
     *
     * @param unmatched for each rule that matches no thread for certain, a clause that names it
     */
    record Match(List<Named> named, List<String> notes, List<String> unmatched) {}

    static final Match NO_RULES = new Match(List.of(), List.of(), List.of());

    static Match match(List<ThreadRule> rules, ThreadNames names) {
        return names.missing().isEmpty() ? byCompleteName(rules, names.complete()) : byKernelName(rules, names);
    }

    private static Match byCompleteName(List<ThreadRule> rules, Map<Integer, String> names) {
        List<Named> named = new ArrayList<>();
        names.forEach((tid, name) -> rules.stream()
                .filter(rule -> rule.matches(name))
                .findFirst()
                .ifPresent(rule -> named.add(new Named(tid, name, rule.glob()))));
        List<String> unmatched = rules.stream()
                .filter(rule -> names.values().stream().noneMatch(rule::matches))
                .map(rule -> "no thread matches rule '" + rule.glob() + "'")
                .toList();
        return new Match(named, List.of(), unmatched);
    }

    private static Match byKernelName(List<ThreadRule> rules, ThreadNames names) {
        List<Named> named = new ArrayList<>();
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
        String compared = "complete thread names are unknown (" + names.missing()
                + "), so the rules were compared with the 15 bytes that the kernel keeps";
        String note =
                compared + (unclear == 0 ? "" : "; " + Words.count(unclear, "thread") + " might match and got no slot");
        List<String> unmatched = rules.stream()
                .filter(rule -> answers(rule, names, KernelNames.Answer.YES) == 0)
                .map(rule -> "no thread surely matches rule '" + rule.glob() + "': " + compared + "; "
                        + Words.count(answers(rule, names, KernelNames.Answer.PERHAPS), "thread") + " might match")
                .toList();
        return new Match(named, List.of(note), unmatched);
    }

    private static int answers(ThreadRule rule, ThreadNames names, KernelNames.Answer answer) {
        return (int) names.kernel().values().stream()
                .filter(name -> KernelNames.matches(rule, name) == answer)
                .count();
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
