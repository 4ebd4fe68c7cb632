package org.berth.experiments;

import java.util.Optional;
import java.util.OptionalDouble;
import org.berth.experiments.result.ArmMetric;
import org.berth.experiments.result.Summary;
import org.berth.experiments.statistics.Power;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.StudentT;

/**
 * The verdict about an arm in comparison with the baseline. All verdicts of a {@link Summary} together are wrong about
 * a difference in at most 5 of 100 experiments (see {@link Summary#of}).
 *
 * <p>{@code detectable} comes from the noise of the runs alone, not from the difference that they show; power computed
 * from the latter would only repeat the verdict (Hoenig and Heisey, The Abuse of Power, The American Statistician 55,
 * 2001). It follows from half the interval's width, on logarithms, by the distribution of t.
 *
 * @param kind the answer
 * @param estimate ratio to the baseline, below 1 when the arm has less; empty when nothing could be compared
 * @param interval of the ratio; empty when there are too few pairs
 * @param detectable minimum detectable difference (0.04 for 4 %), which such runs find in 80 of 100 experiments; empty without an
 *     interval
 * @param pairs rounds in which both arms completed
 */
public record Verdict(
        Kind kind, OptionalDouble estimate, Optional<Ratio.Interval> interval, OptionalDouble detectable, int pairs) {

    /** Differences up to this, 2 %, count as none when nothing else is said. */
    public static final double MARGIN = 0.02;

    /** The answers. */
    public enum Kind {
        /** It takes less, or does more where that is better; more than noise. */
        FASTER,
        /** It takes more, or does less where more is better; more than noise. */
        SLOWER,
        /** The whole interval is within the margin: a difference, if there is one, does not matter. */
        EQUIVALENT,
        /** It would be one of the better two, but more of its runs failed than the baseline's: of those the numbers say nothing. */
        FAILS_MORE_OFTEN,
        /** Neither of these: there may be a difference, which these runs cannot detect. */
        NO_DIFFERENCE_FOUND,
        /** The numbers are so near zero that their ratio means nothing; {@link ArmMetric#difference} has their difference. */
        LEVEL_TOO_LOW,
        /** Too few rounds completed for an interval. */
        TOO_FEW_PAIRS,
        /** Rounds or the first interim look are missing, which may have to do with what the others showed: there is no interval. */
        NOT_ENDED,
        /** No round completed for both. */
        NOTHING_TO_COMPARE;

        /** Whether more runs are not needed. */
        public boolean decided() {
            return this == FASTER || this == SLOWER || this == EQUIVALENT || this == FAILS_MORE_OFTEN;
        }
    }

    /** Whether the arm is significantly better or worse. */
    public boolean isDifference() {
        return kind == Kind.FASTER || kind == Kind.SLOWER;
    }

    /**
     * The verdict about an arm of which more runs failed than of the baseline: it is neither better nor as good.
     *
     * @param ratio of the completed runs
     */
    public Verdict ofOneThatFailsMoreOften(Optional<Ratio> ratio) {
        return kind == Kind.FASTER || kind == Kind.EQUIVALENT
                ? new Verdict(Kind.FAILS_MORE_OFTEN, estimate, ratio.flatMap(Ratio::interval), detectable, pairs)
                : this;
    }

    /** The verdict about numbers near zero. */
    public static Verdict ofLowLevel(int pairs) {
        return new Verdict(Kind.LEVEL_TOO_LOW, OptionalDouble.empty(), Optional.empty(), OptionalDouble.empty(), pairs);
    }

    /**
     * Judges a ratio of times, or of another number of which less is better, as below. Pure.
     *
     * @param margin relative difference that does not matter, above 0: 0.02 for 2 %
     */
    public static Verdict of(Optional<Ratio> ratio, double margin) {
        return of(ratio, margin, Metric.Better.LOWER);
    }

    /**
     * Judges a ratio. A difference that is surely there is called one, even when it is within the margin. Pure.
     *
     * @param margin relative difference that does not matter, above 0: 0.02 for 2 %
     * @param better whether a ratio below 1 is the better one, or one above
     */
    public static Verdict of(Optional<Ratio> ratio, double margin, Metric.Better better) {
        if (ratio.isEmpty()) {
            return new Verdict(
                    Kind.NOTHING_TO_COMPARE, OptionalDouble.empty(), Optional.empty(), OptionalDouble.empty(), 0);
        }
        Ratio found = ratio.get();
        Kind kind = found.interval()
                .map(interval -> judge(interval, found.equivalence().orElse(interval), margin, better))
                .orElse(found.pairs() < Ratio.MIN_PAIRS ? Kind.TOO_FEW_PAIRS : Kind.NOT_ENDED);
        return new Verdict(
                kind,
                OptionalDouble.of(found.estimate()),
                kind == Kind.EQUIVALENT ? found.equivalence() : found.interval(),
                found.detectable(),
                found.pairs());
    }

    /**
     * The minimum detectable difference before any run is made: one that is found in 80 of 100 experiments. By the
     * distribution of t for log-normal noise; ranks need up to a tenth more. Pure.
     *
     * @param deviation coefficient of variation of a run, 0.03 for 3 %
     * @param pairs rounds to come
     * @param error of the interval: 0.05 divided by the arms to compare with the baseline
     * @return relative difference, 0.04 for 4 %; empty below {@link Ratio#MIN_PAIRS} pairs
     */
    public static OptionalDouble detectable(double deviation, int pairs, double error) {
        if (pairs < Ratio.MIN_PAIRS) {
            return OptionalDouble.empty();
        }
        double ofQuotients = deviation * Math.sqrt(2);
        double quantile = StudentT.quantile(1 - error / 2, pairs - 1);
        double shift = Power.detectableShift(quantile, pairs - 1) * ofQuotients / Math.sqrt(pairs);
        return OptionalDouble.of(Math.expm1(shift));
    }

    private static Kind judge(
            Ratio.Interval interval, Ratio.Interval equivalence, double margin, Metric.Better better) {
        if (interval.excludesOne()) {
            return interval.high() < 1 == (better == Metric.Better.LOWER) ? Kind.FASTER : Kind.SLOWER;
        }
        return equivalence.within(margin) ? Kind.EQUIVALENT : Kind.NO_DIFFERENCE_FOUND;
    }
}
