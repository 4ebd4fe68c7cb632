package org.berth.cli;

import java.util.List;
import java.util.Map;
import org.berth.placement.Slot;

/**
 * What the report says of one arm.
 *
 * @param command program and arguments as they were started
 * @param environment variables added for this arm
 * @param bound whether the slots bind; otherwise threads may go to every CPU of the slots
 * @param slots the places of the plan; empty for an arm without one
 * @param completed runs that count
 * @param bad runs that failed or took too long
 * @param counters what else was counted, with units
 */
record ReportArm(
        String name,
        List<String> command,
        Map<String, String> environment,
        boolean bound,
        List<Slot> slots,
        int completed,
        int bad,
        List<ReportFact> counters) {
    ReportArm {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        slots = List.copyOf(slots);
        counters = List.copyOf(counters);
    }

    /** As a line for a shell. */
    String commandLine() {
        StringBuilder line = new StringBuilder();
        environment.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(one -> line.append(one.getKey())
                        .append('=')
                        .append(ShellWord.quote(one.getValue()))
                        .append(' '));
        for (int i = 0; i < command.size(); i++) {
            line.append(i == 0 ? "" : " ").append(ShellWord.quote(command.get(i)));
        }
        return line.toString();
    }
}
