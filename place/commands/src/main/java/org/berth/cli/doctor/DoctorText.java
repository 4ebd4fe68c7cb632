package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import org.berth.drawing.internal.text.Labels;
import org.berth.drawing.internal.text.TextTable;
import org.berth.drawing.internal.text.WordWrap;

/** Findings as text, the worst first. A pure function. */
final class DoctorText {
    private static final int SEVERITY_WIDTH = 9;
    private static final int CHECK_WIDTH = 16;
    /** With fewer columns the text stands below the check, where it has more room than to the right of it. */
    private static final int NARROW = 72;

    private static final int NARROW_INDENT = 4;

    private DoctorText() {}

    static String render(String subject, List<Finding> findings, int columns) {
        StringBuilder out = new StringBuilder();
        WordWrap.append(out, "", subject, columns);
        List<Finding> ordered = new ArrayList<>(findings);
        ordered.sort((one, other) -> other.severity().compareTo(one.severity()));
        for (Finding finding : ordered) {
            append(out, finding, columns);
        }
        return out.append(summary(findings)).append('\n').toString();
    }

    private static void append(StringBuilder out, Finding finding, int columns) {
        String start =
                TextTable.pad(finding.severity().word(), SEVERITY_WIDTH) + TextTable.pad(finding.check(), CHECK_WIDTH);
        String blank = " ".repeat(columns < NARROW ? NARROW_INDENT : SEVERITY_WIDTH + CHECK_WIDTH);
        // A longer name would move the text out of its column.
        if (columns < NARROW || finding.check().length() >= CHECK_WIDTH) {
            out.append(start.stripTrailing()).append('\n');
            start = blank;
        }
        WordWrap.append(out, start, finding.read(), columns);
        if (!finding.fix().isEmpty()) {
            WordWrap.append(out, blank + "-> ", finding.fix(), columns);
        }
    }

    private static String summary(List<Finding> findings) {
        return Labels.count(count(findings, Finding.Severity.PROBLEM), "problem") + ", "
                + Labels.count(count(findings, Finding.Severity.WARNING), "warning") + ", "
                + count(findings, Finding.Severity.UNKNOWN) + " unknown, "
                + count(findings, Finding.Severity.INFO) + " for information, "
                + count(findings, Finding.Severity.OK) + " ok";
    }

    private static int count(List<Finding> findings, Finding.Severity severity) {
        return (int) findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }
}
