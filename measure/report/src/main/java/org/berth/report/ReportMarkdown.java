package org.berth.report;

import java.util.ArrayList;
import java.util.List;
import org.berth.text.ForeignText;
import org.berth.text.Words;

/** The report as Markdown (GitHub's, for its tables), without pictures. A pure function. */
public final class ReportMarkdown {
    private static final String SPECIAL = "\\`*_{}[]()#+!|<>&~$";

    private final StringBuilder out = new StringBuilder();
    private final ReportData data;

    private ReportMarkdown(ReportData data) {
        this.data = data;
    }

    public static String render(ReportData data) {
        return new ReportMarkdown(data).document();
    }

    private String document() {
        line("# Berth comparison: " + escape(data.title()));
        line(escape(data.written()) + "; baseline: " + escape(data.baseline().name()));
        ReportDecision decision = data.decision();
        decision.answer().stream().limit(1).forEach(sentence -> line("**" + escape(sentence) + "**"));
        decision.answer().stream().skip(1).forEach(this::code);
        decision.warnings().forEach(warning -> line(escape(warning)));
        data.verdict().forEach(sentence -> line(escape(sentence)));
        data.scope().forEach(sentence -> line(escape(sentence)));
        data.remarks().forEach(remark -> line(escape(remark)));
        line("## The numbers");
        for (ReportMeasure measure : data.measures()) {
            if (data.measures().size() > 1) {
                line("### " + escape(Words.capital(measure.quantity().name())));
            }
            table(ReportTables.numbers(data, measure));
        }
        data.notRun().forEach(same -> line(escape(same)));
        line("## What was counted");
        table(ReportTables.counters(data));
        data.missing().forEach(reason -> line(escape(reason)));
        line("## The machine and its state");
        List<List<String>> rows = new ArrayList<>(List.of(List.of("What", "Value")));
        for (ReportFact fact : data.environment()) {
            rows.add(List.of(fact.label(), fact.value()));
        }
        table(rows);
        line("## The exact commands");
        for (ReportArm arm : data.arms()) {
            line("### " + escape(arm.name()));
            code(arm.commandLine());
        }
        line("Raw results, logs and plans: " + escape(data.folder()));
        return out.substring(0, out.length() - 1);
    }

    private void table(List<List<String>> rows) {
        out.append(tableOf(rows)).append('\n');
    }

    /** The first row is the heading. */
    static String tableOf(List<List<String>> rows) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            out.append('|');
            rows.get(i).forEach(cell -> out.append(' ').append(escape(cell)).append(" |"));
            out.append('\n');
            if (i == 0) {
                out.append("| --- ".repeat(rows.get(0).size())).append("|\n");
            }
        }
        return out.toString();
    }

    /** The fence is longer than any in the text. */
    private void code(String text) {
        StringBuilder fence = new StringBuilder("```");
        while (text.contains(fence)) {
            fence.append('`');
        }
        line(fence + "sh\n" + text + "\n" + fence);
    }

    private void line(String text) {
        out.append(text).append("\n\n");
    }

    /** Every mark that means something to Markdown or HTML gets a backslash; line ends become blanks. */
    static String escape(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (SPECIAL.indexOf(c) >= 0 && !isHarmless(c, safe)) {
                safe.append('\\');
            }
            safe.appendCodePoint(ForeignText.isObeyed(c) ? ' ' : c);
        });
        return safe.toString();
    }

    /** Marks that mean something only at the beginning of a line, or with a partner. */
    private static boolean isHarmless(int c, StringBuilder before) {
        return !before.isEmpty() && "()#+!".indexOf(c) >= 0;
    }
}
