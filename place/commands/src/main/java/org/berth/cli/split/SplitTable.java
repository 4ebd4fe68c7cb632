package org.berth.cli.split;

import java.util.List;
import org.berth.placement.internal.shape.ShapePart;
import org.berth.text.Bytes;
import org.berth.text.Json;
import org.berth.text.ShellWord;
import org.berth.text.TextTable;
import org.berth.text.TextTable.Align;
import org.berth.text.WordWrap;
import org.berth.text.Words;

/** The plan of a split as a table and as JSON. Pure. */
final class SplitTable {
    private static final int WIDEST_SET = 28;

    private SplitTable() {}

    static String text(SplitPlan plan, List<String> template, int columns) {
        StringBuilder out = new StringBuilder();
        WordWrap.append(
                out,
                "",
                Words.count(plan.size(), "process").replace("processs", "processes")
                        + (plan.bound() ? ", memory " + plan.memory().word() : ", not bound")
                        + (plan.exclusive() ? ", exclusive" : "") + ".",
                columns);
        out.append('\n');
        TextTable table = new TextTable(Align.RIGHT, Align.LEFT, Align.LEFT, Align.RIGHT, Align.RIGHT)
                .widest(WIDEST_SET)
                .row("INDEX", "CPUS", "NODES", "MEMORY", "HEAP", "WHY");
        for (ShapePart part : plan.shape().parts()) {
            table.row(
                    Integer.toString(part.index()),
                    part.cpus().toString(),
                    part.memoryNodes().isEmpty() ? "-" : part.memoryNodes().toString(),
                    part.memoryBytes() == 0 ? "-" : Bytes.text(part.memoryBytes()),
                    part.heapBytes() == 0 ? "-" : part.heapWord(),
                    part.reason());
        }
        table.appendTo(out, columns);
        out.append('\n');
        plan.shape().notes().forEach(note -> WordWrap.append(out, "Note: ", note, columns));
        for (int index = 0; index < plan.size(); index++) {
            out.append(index)
                    .append(": ")
                    .append(line(plan.command(index, template)))
                    .append('\n');
        }
        return out.toString();
    }

    private static String line(List<String> words) {
        return ShellWord.line(words);
    }

    /** Format berth-split, version 1: sets are lists of kernel numbers such as "0-3,8". */
    static Json.Fields json(SplitPlan plan, List<String> template) {
        return Json.object()
                .with("format", "berth-split")
                .with("version", 1)
                .with("bound", plan.bound())
                .with("memory", plan.memory().word())
                .with("exclusive", plan.exclusive())
                .with("notes", plan.shape().notes())
                .with("leftOver", plan.shape().leftOver())
                .withEach(
                        "parts",
                        plan.shape().parts(),
                        part -> Json.object()
                                .with("index", part.index())
                                .with("cpus", part.cpus())
                                .with("cores", part.cores())
                                .with("nodes", part.memoryNodes())
                                .with("memoryBytes", part.memoryBytes())
                                .with("heapBytes", part.heapBytes())
                                .with("heap", part.heapBytes() == 0 ? "" : part.heapWord())
                                .with("reason", part.reason())
                                .with("command", plan.command(part.index(), template)));
    }
}
