package org.berth.report;

import java.util.List;
import java.util.Map;
import org.berth.text.ShellWord;
import org.berth.topology.CpuSet;

/**
 * What the report shows about one arm.
 *
 * @param command program and arguments as they were started
 * @param environment variables added for this arm
 * @param bound whether its threads are bound to the slots; otherwise threads may go to every allowed CPU
 * @param slots CPUs of each thread, or a single set for all threads; empty when only its command knows
 * @param completed runs that count
 * @param bad runs that failed or took too long
 * @param counters what else was counted, with units
 */
record ReportArm(
        String name,
        List<String> command,
        Map<String, String> environment,
        boolean bound,
        List<CpuSet> slots,
        int completed,
        int bad,
        List<ReportFact> counters) {
    ReportArm {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        slots = List.copyOf(slots);
        counters = List.copyOf(counters);
    }

    /** The command as a line for a shell. */
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
