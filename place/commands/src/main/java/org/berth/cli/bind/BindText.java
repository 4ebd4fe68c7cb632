package org.berth.cli.bind;

import java.util.Map;
import java.util.TreeMap;
import org.berth.drawing.internal.text.Canvas;
import org.berth.drawing.internal.text.TextTable;
import org.berth.drawing.internal.text.WordWrap;

/** The result for a process as text. A pure function. */
final class BindText {
    private static final int WHEN_WIDTH = 18;
    /** A JVM may give its threads names of any length; --json has the whole ones. */
    private static final int NAME_COLUMNS = 120;

    private BindText() {}

    /** Empty for a process without any facts, whose failure is reported instead. */
    static String render(BindOutcome outcome, int columns) {
        if (outcome.before().isEmpty()) {
            return "";
        }
        StringBuilder out = new StringBuilder();
        String may = outcome.allowed().isEmpty() ? "" : ", may use CPUs " + outcome.allowed();
        WordWrap.append(out, "", outcome.name() + " (process " + outcome.pid() + ")" + may, columns);
        outcome.before().ifPresent(state -> append(out, outcome.after().isEmpty() ? "now" : "before", state, columns));
        outcome.after().ifPresent(state -> append(out, "after", state, columns));
        if (outcome.after().isEmpty() && outcome.failure().isEmpty()) {
            WordWrap.append(
                    out, "  would go to:    ", "CPUs " + outcome.cpus() + ", near nodes " + outcome.nodes(), columns);
        }
        Map<String, StringBuilder> rules = new TreeMap<>();
        for (ThreadSlots.Assigned one : outcome.slots()) {
            StringBuilder line = rules.computeIfAbsent(one.rule(), rule -> new StringBuilder());
            line.append(line.isEmpty() ? "" : ", ")
                    .append('"')
                    .append(Canvas.fit(one.name(), NAME_COLUMNS))
                    .append("\" on CPUs ")
                    .append(one.cpus());
        }
        rules.forEach((rule, line) -> WordWrap.append(out, "  rule " + rule + ": ", line.toString(), columns));
        return out.toString();
    }

    private static void append(StringBuilder out, String when, LiveState state, int columns) {
        WordWrap.append(out, TextTable.pad("  threads " + when + ":", WHEN_WIDTH), state.threadsText(), columns);
        WordWrap.append(out, TextTable.pad("  memory " + when + ":", WHEN_WIDTH), state.memoryText(), columns);
    }
}
