package org.berth.report.comparison;

import java.util.List;
import java.util.Optional;
import org.berth.experiments.Verdict;
import org.berth.experiments.statistics.Difference;
import org.berth.experiments.statistics.Ratio;
import org.berth.text.TextTable;

/** Many verdicts as a table, where sentences would hide which number differs. Pure. */
final class VerdictTable {
    private static final String NOTHING = "-";

    private VerdictTable() {}

    static List<String> render(List<VerdictText.Judged> judged, String baseline, double margin) {
        TextTable table = new TextTable(TextTable.Align.LEFT)
                .row("NUMBER", "ARM", "COMPARED WITH " + baseline, "CHANGE", "95 % CI", "PAIRS", "DETECTABLE");
        for (VerdictText.Judged one : judged) {
            Verdict verdict = one.verdict();
            table.row(
                    one.quantity().name(),
                    one.arm(),
                    word(verdict.kind(), one.quantity(), margin),
                    change(one),
                    interval(one),
                    Integer.toString(verdict.pairs()),
                    verdict.detectable().isPresent()
                            ? VerdictText.detectable(verdict.detectable().getAsDouble())
                            : NOTHING);
        }
        return table.lines();
    }

    /** The verdict in a few words. */
    static String word(Verdict.Kind kind, Quantity quantity, double margin) {
        return switch (kind) {
            case FASTER -> quantity.isTime() ? "faster" : "better";
            case SLOWER -> quantity.isTime() ? "slower" : "worse";
            case EQUIVALENT -> "same within " + VerdictText.margin(margin);
            case FAILS_MORE_OFTEN -> "fails more often";
            case NO_DIFFERENCE_FOUND -> "no significant difference";
            case LEVEL_TOO_LOW -> "level too low to compare";
            case TOO_FEW_PAIRS -> "too few runs";
            case NOT_ENDED -> "not ended";
            case NOTHING_TO_COMPARE -> "no verdict";
        };
    }

    private static String change(VerdictText.Judged one) {
        Optional<Difference> difference = one.difference();
        if (difference.isPresent()) {
            return one.quantity().text(difference.get().estimate());
        }
        return one.verdict().estimate().isPresent()
                ? one.quantity()
                        .change(
                                one.verdict().estimate().getAsDouble(),
                                Digits.of(one.verdict().interval()))
                : NOTHING;
    }

    private static String interval(VerdictText.Judged one) {
        Optional<Difference> difference = one.difference();
        if (difference.isPresent()) {
            return VerdictText.interval(one.quantity(), difference.get()).orElse(NOTHING);
        }
        Optional<Ratio.Interval> interval = one.verdict().interval();
        return interval.map(ends -> VerdictText.bothSides(one.quantity(), ends)).orElse(NOTHING);
    }
}
