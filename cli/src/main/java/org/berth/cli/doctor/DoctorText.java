package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import org.berth.drawing.text.Labels;
import org.berth.drawing.text.TextTable;
import org.berth.drawing.text.WordWrap;

/** Findings as text, the worst first. A pure function. */
final class DoctorText {
    private static final int SEVERITY_WIDTH = 9;
    private static final int CHECK_WIDTH = 16;

    private DoctorText() {}

    static String render(String subject, List<Finding> findings, int columns) {
        StringBuilder out = new StringBuilder();
        WordWrap.append(out, "", subject, columns);
        List<Finding> ordered = new ArrayList<>(findings);
        ordered.sort((one, other) -> other.severity().compareTo(one.severity()));
        for (Finding finding : ordered) {
            String start = TextTable.pad(finding.severity().word(), SEVERITY_WIDTH)
                    + TextTable.pad(finding.check(), CHECK_WIDTH);
            if (finding.check().length() < CHECK_WIDTH) {
                WordWrap.append(out, start, finding.read(), columns);
            } else {
                // A longer name would move the text out of its column.
                out.append(start).append('\n');
                WordWrap.append(out, " ".repeat(SEVERITY_WIDTH + CHECK_WIDTH), finding.read(), columns);
            }
            if (!finding.fix().isEmpty()) {
                String blank = " ".repeat(SEVERITY_WIDTH + CHECK_WIDTH);
                WordWrap.append(out, blank + "-> ", finding.fix(), columns);
            }
        }
        return out.append(summary(findings)).append('\n').toString();
    }

    private static String summary(List<Finding> findings) {
        return Labels.count(count(findings, Finding.Severity.PROBLEM), "problem") + ", "
                + Labels.count(count(findings, Finding.Severity.WARNING), "warning") + ", "
                + count(findings, Finding.Severity.INFO) + " for information, "
                + count(findings, Finding.Severity.OK) + " ok";
    }

    private static int count(List<Finding> findings, Finding.Severity severity) {
        return (int) findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }
}
