package org.berth.report;

import java.util.List;

/**
 * What a reader decides by, on the first screen.
 *
 * @param answer one sentence, then lines to copy
 * @param words one for each arm, such as "faster"; a dash for the baseline
 * @param margin within which arms count as the same, 0.02 for 2 %
 * @param warnings what makes the numbers doubtful
 */
record ReportDecision(List<String> answer, List<String> words, double margin, List<String> warnings) {
    ReportDecision {
        answer = List.copyOf(answer);
        words = List.copyOf(words);
        warnings = List.copyOf(warnings);
    }
}
