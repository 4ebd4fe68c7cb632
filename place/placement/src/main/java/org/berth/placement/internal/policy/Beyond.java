package org.berth.placement.internal.policy;

import java.util.List;
import org.berth.text.Words;
import org.berth.topology.CpuSet;

/** The note for workers that no single part of the machine holds: the rule that a worker stays in one gave way. */
final class Beyond {
    private Beyond() {}

    /**
     * @param workers their numbers; no note when there is none
     * @param part "package", "NUMA node"
     * @param unit what a thread has for itself: "core", "PU"
     * @param crowded whether there are more threads than units
     */
    static List<String> notes(CpuSet workers, String part, int threads, String unit, boolean crowded) {
        if (workers.isEmpty()) {
            return List.of();
        }
        String who = workers.size() == 1 ? "worker " + workers + " is" : "each of the workers " + workers + " is";
        String why = crowded
                ? "otherwise some " + unit + "s would be free, or have far fewer threads than others"
                : "no " + part + " has " + Words.count(threads, "free " + unit) + " for its threads";
        return List.of(who + " in more than one " + part + ": " + why);
    }
}
