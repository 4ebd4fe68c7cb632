package org.berth.cli.plan;

import java.util.List;
import java.util.Optional;
import org.berth.drawing.internal.text.Canvas;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.berth.text.TextTable;
import org.berth.text.TextTable.Align;
import org.berth.text.WordWrap;
import org.berth.text.Words;

/** A plan as a table with the reason for each slot. A pure function. */
final class PlanTable {
    private static final int WIDEST_SET = 28;

    private PlanTable() {}

    static String render(
            PlacementPlan plan, Optional<DeviceChoice> device, List<String> choices, int columns, boolean utf8) {
        StringBuilder out = new StringBuilder();
        WordWrap.append(out, "", headline(plan, device), columns);
        for (String choice : choices) {
            WordWrap.append(out, "", choice, columns);
        }
        out.append('\n');
        appendTable(out, plan, columns);
        if (plan.oversubscribed() || !plan.notes().isEmpty()) {
            out.append('\n');
        }
        if (plan.oversubscribed()) {
            String giver = device.isPresent() ? "policy" : "level";
            WordWrap.append(
                    out,
                    "Oversubscribed! ",
                    "Threads share slots that the " + giver + " gives to one thread.",
                    columns);
        }
        for (String note : plan.notes()) {
            WordWrap.append(out, "Note: ", note, columns);
        }
        return utf8 ? out.toString() : Canvas.ascii(out.toString());
    }

    static String headline(PlacementPlan plan, Optional<DeviceChoice> device) {
        int workers = plan.workers();
        int threads = plan.slots().size() / Math.max(1, workers);
        String binding = device.map(choice -> "Policy " + choice.words())
                .orElse("Level " + plan.level().word());
        return binding + ", memory " + plan.memory().word() + ": "
                + Words.count(workers, "worker") + " with " + Words.count(threads, "thread")
                + (workers > 1 ? " each" : "")
                + ", on CPUs " + plan.cpus() + " of the allowed " + plan.allowed() + ".";
    }

    private static void appendTable(StringBuilder out, PlacementPlan plan, int columns) {
        TextTable table = new TextTable(Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.LEFT)
                .widest(WIDEST_SET)
                .row("SLOT", "WORKER", "THREAD", "CPUS", "NODES", "WHY");
        List<Slot> slots = plan.slots();
        for (int from = 0; from < slots.size(); ) {
            int to = from;
            while (to + 1 < slots.size() && sameBinding(slots.get(from), slots.get(to + 1))) {
                to++;
            }
            addRow(table, slots.get(from), slots.get(to));
            from = to + 1;
        }
        table.appendTo(out, columns);
    }

    /** Threads of a worker with the same slot share one row. */
    private static boolean sameBinding(Slot slot, Slot next) {
        return slot.worker() == next.worker()
                && slot.role().equals(next.role())
                && slot.cpus().equals(next.cpus())
                && slot.memoryNodes().equals(next.memoryNodes())
                && slot.reason().equals(next.reason());
    }

    private static void addRow(TextTable table, Slot first, Slot last) {
        table.row(
                range(first.index(), last.index()),
                Integer.toString(first.worker()),
                range(first.thread(), last.thread()),
                first.cpus().toString(),
                first.memoryNodes().isEmpty() ? "-" : first.memoryNodes().toString(),
                first.reason());
    }

    private static String range(int from, int to) {
        return from == to ? Integer.toString(from) : from + "-" + to;
    }
}
