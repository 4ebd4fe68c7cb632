package org.berth.cli;

import java.util.ArrayList;
import java.util.List;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;

/** A plan as a table with the reason for each slot. A pure function. */
final class PlanTable {
    private static final String[] HEADINGS = {"SLOT", "WORKER", "THREAD", "CPUS", "NODES", "WHY"};
    private static final int FIRST_TEXT_COLUMN = 3;
    private static final int WIDEST_SET = 28;

    private PlanTable() {}

    static String render(PlacementPlan plan, List<String> choices, int columns, boolean utf8) {
        StringBuilder out = new StringBuilder();
        out.append(headline(plan)).append('\n');
        for (String choice : choices) {
            appendWrapped(out, "", choice, columns);
        }
        out.append('\n');
        appendTable(out, plan, columns);
        if (plan.oversubscribed() || !plan.notes().isEmpty()) {
            out.append('\n');
        }
        if (plan.oversubscribed()) {
            appendWrapped(out, "Oversubscribed! ", "Threads share what the level would give to one alone.", columns);
        }
        for (String note : plan.notes()) {
            appendWrapped(out, "Note: ", note, columns);
        }
        return utf8 ? out.toString() : ascii(out.toString());
    }

    private static String headline(PlacementPlan plan) {
        int workers = plan.workers();
        int threads = plan.slots().size() / Math.max(1, workers);
        return "Level " + plan.level().word() + ", memory " + plan.memory().word() + ": "
                + count(workers, "worker") + " with " + count(threads, "thread") + (workers > 1 ? " each" : "")
                + ", on CPUs " + plan.cpus() + " of the allowed " + plan.allowed() + ".";
    }

    private static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    private static void appendTable(StringBuilder out, PlacementPlan plan, int columns) {
        List<String[]> rows = new ArrayList<>();
        rows.add(HEADINGS);
        for (Slot slot : plan.slots()) {
            rows.add(new String[] {
                Integer.toString(slot.index()),
                Integer.toString(slot.worker()),
                Integer.toString(slot.thread()),
                slot.cpus().toString(),
                slot.memoryNodes().isEmpty() ? "-" : slot.memoryNodes().toString(),
                slot.reason()
            });
        }
        int last = HEADINGS.length - 1;
        int[] widths = new int[last];
        for (String[] row : rows) {
            for (int i = 0; i < last; i++) {
                widths[i] = Math.max(widths[i], Math.min(WIDEST_SET, row[i].length()));
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < last; i++) {
                String padding = " ".repeat(Math.max(0, widths[i] - row[i].length()));
                line.append(i < FIRST_TEXT_COLUMN ? padding + row[i] : row[i] + padding)
                        .append("  ");
            }
            appendWrapped(out, line.toString(), row[last], columns);
        }
    }

    /** Words of the text wrap below its own beginning. */
    static void appendWrapped(StringBuilder out, String start, String text, int columns) {
        int room = Math.max(20, columns - start.length());
        String indent = " ".repeat(Math.max(0, start.length()));
        String prefix = start;
        String rest = text;
        while (rest.length() > room) {
            int at = rest.lastIndexOf(' ', room);
            if (at <= 0) {
                break;
            }
            out.append(prefix).append(rest, 0, at).append('\n');
            rest = rest.substring(at + 1);
            prefix = indent;
        }
        out.append(prefix).append(rest).append('\n');
    }

    private static String ascii(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            plain.append(Canvas.ascii(text.charAt(i)));
        }
        return plain.toString();
    }
}
