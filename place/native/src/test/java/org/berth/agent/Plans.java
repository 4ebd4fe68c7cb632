package org.berth.agent;

import java.util.List;

/** Plans as the planner writes them. */
final class Plans {
    private Plans() {}

    /** One slot of one worker for each list of CPUs; the rules are whole lines. */
    static String of(List<String> cpus, String rules) {
        StringBuilder text = new StringBuilder("berth-plan 1\nlevel pu\nmemory local\nallowed ")
                .append(String.join(",", cpus))
                .append("\noversubscribed no\n")
                .append(rules);
        for (int i = 0; i < cpus.size(); i++) {
            text.append("slot index=" + i + " worker=0 thread=" + i + " role=task cpus=" + cpus.get(i)
                    + " nodes= reason=PU L#" + i + "\n");
        }
        return text.toString();
    }
}
