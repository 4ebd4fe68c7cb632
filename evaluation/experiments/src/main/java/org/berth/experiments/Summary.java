package org.berth.experiments;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.berth.experiments.Trial.Outcome;
import org.berth.experiments.statistics.Difference;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Rounding;
import org.berth.experiments.statistics.Spread;
import org.berth.observation.ResidencyShare;

/**
 * What came out of an experiment, arm by arm in their order. A pure function of the trials.
 *
 * @param arms the first one is the baseline
 * @param kernel the verdict that binding is not worth it; empty when nothing shows that
 * @param bind where that is the question and the answer is another one; empty otherwise
 */
public record Summary(List<ArmSummary> arms, Optional<KernelVerdict> kernel, Optional<BindVerdict> bind) {
    static final double ERROR = 0.05;
    /** A number whose step is as large as itself says nothing. */
    private static final double MOST_SHIFT = 0.99;

    public Summary {
        arms = List.copyOf(arms);
    }

    /** Arms of which nobody knows who places their threads. */
    public Summary(List<ArmSummary> arms) {
        this(arms, Optional.empty(), Optional.empty());
    }

    /** Without a setting of the kernel whose worth is the question. */
    public Summary(List<ArmSummary> arms, Optional<KernelVerdict> kernel) {
        this(arms, kernel, Optional.empty());
    }

    /**
     * The summary of an experiment whose number of rounds was fixed before. Trials of unknown arms are ignored; the order
     * of trials does not matter.
     *
     * <p>The intervals hold together: with k arms to compare with the baseline each has the confidence 1 - 0.05 / k (Bonferroni), so
     * all of them cover the truth in 95 of 100 experiments, and in at most 5 is any arm called different that is not. The
     * correction of Holm finds a little more when several arms differ, but has no intervals that agree with its verdicts,
     * and "faster" next to an interval that includes 1 is not credible. The maximum statistic of a
     * bootstrap needs the bootstrap to hold for a handful of pairs, which it does not ({@link Ratio}). Bonferroni makes an
     * interval of 3 arms and 12 pairs 28 % wider than one alone; simulated, 3 arms without a difference gave a false
     * verdict in 1 to 5 of 100 experiments.
     *
     * <p>Of the numbers that the work prints, the first one is what the verdict is about, at the full rate: it does not pay for
     * the others. Their intervals hold together, too: with m of them their confidence is 1 - 0.05 / (k (m - 1)).
     *
     * <p>That an arm is equivalent is claimed by two one-sided tests at 5 % each, for each arm by itself.
     */
    public static Summary of(Experiment experiment, List<Trial> trials) {
        double error = ERROR / Math.max(1, experiment.arms().size() - 1);
        return of(experiment, trials, new Rates(error, error / others(experiment), 2 * ERROR), Ratio.MIN_PAIRS);
    }

    /** The numbers that the work prints besides the one of the verdict, at least 1. */
    static int others(Experiment experiment) {
        return Math.max(1, experiment.metrics().size() - 1);
    }

    /**
     * What intervals may miss.
     *
     * @param ofArm an arm's number of the verdict, or its wall time
     * @param ofOther one of its other numbers
     * @param ofEquivalence both sides of an equivalence together
     */
    record Rates(double ofArm, double ofOther, double ofEquivalence) {
        Ratio.Errors errors(boolean first) {
            return new Ratio.Errors(first ? ofArm : ofOther, ofEquivalence);
        }
    }

    /** A summary with these rates, and no interval for fewer pairs. */
    static Summary of(Experiment experiment, List<Trial> trials, Rates rates, int minPairs) {
        List<ArmSummary> arms = experiment.arms().stream()
                .map(arm -> summarise(arm.name(), experiment, trials, rates, minPairs))
                .toList();
        boolean lowLevel = arms.stream()
                .flatMap(arm -> arm.metrics().stream().limit(1))
                .anyMatch(one -> one.difference().isPresent());
        if (lowLevel) {
            return new Summary(arms);
        }
        Optional<Metric> metric = arms.stream().anyMatch(ArmSummary::isJudgedByMetric)
                ? experiment.metrics().stream().findFirst()
                : Optional.empty();
        Optional<ArmRatios> ratios =
                ArmRatios.of(experiment, trials, metric, rates.ofArm * Math.max(1, arms.size() - 1), minPairs);
        Optional<KernelVerdict> kernel = ratios.flatMap(all -> KernelVerdict.of(all, Verdict.MARGIN));
        Optional<BindVerdict> bind =
                kernel.isPresent() ? Optional.empty() : ratios.flatMap(all -> BindVerdict.of(experiment, all));
        return new Summary(arms, kernel, bind);
    }

    /**
     * A verdict for each arm but the baseline, in their order.
     *
     * @param margin relative difference that does not matter: {@link Verdict#MARGIN} for 2 %
     */
    public List<Verdict> verdicts(double margin) {
        return arms.stream().skip(1).map(arm -> arm.verdict(margin)).toList();
    }

    private static ArmSummary summarise(
            String arm, Experiment experiment, List<Trial> trials, Rates rates, int minPairs) {
        String baseline = experiment.arms().get(0).name();
        List<Trial> all = trials.stream()
                .filter(trial -> trial.arm().equals(arm) && !trial.run().warmUp())
                .toList();
        List<Trial> good = all.stream().filter(Trial::counts).toList();
        Optional<String> other = arm.equals(baseline) ? Optional.empty() : Optional.of(baseline);
        List<Trial> seen = good.stream()
                .filter(trial -> trial.sampling().mostThreads() > 0)
                .toList();
        List<ArmMetric> metrics = new ArrayList<>();
        for (Metric metric : experiment.metrics()) {
            metrics.add(metric(metric, arm, other, trials, rates.errors(metrics.isEmpty()), minPairs));
        }
        return new ArmSummary(
                arm,
                good.size(),
                count(all, Outcome.FAILED),
                count(all, Outcome.TIMED_OUT),
                bad(baseline, trials),
                Spread.of(good.stream().mapToDouble(Trial::wallSeconds)),
                other.flatMap(base -> ratio(
                        arm,
                        base,
                        trials,
                        trial -> OptionalDouble.of(trial.wallSeconds()),
                        quotients -> Ratio.of(quotients, rates.errors(true), minPairs, 0))),
                metrics,
                ArmMigrations.of(seen, SamplingSummary::migrations),
                ArmMigrations.of(seen, SamplingSummary::workerMigrations),
                good.stream()
                        .map(trial -> trial.sampling().residency())
                        .reduce(new ResidencyShare(0, 0), ResidencyShare::plus),
                ArmUsage.of(good));
    }

    private static ArmMetric metric(
            Metric metric,
            String arm,
            Optional<String> baseline,
            List<Trial> trials,
            Ratio.Errors errors,
            int minPairs) {
        Function<Trial, OptionalDouble> value = trial -> trial.metric(metric.name());
        Optional<Spread> values = values(arm, trials, value);
        Optional<Ratio> ratio = baseline.flatMap(base -> {
            double shift = shift(metric, arm, trials, true) + shift(metric, base, trials, true);
            return ratio(arm, base, trials, value, quotients -> Ratio.of(quotients, errors, minPairs, shift));
        });
        if (baseline.isEmpty()) {
            return new ArmMetric(metric, values, ratio);
        }
        double[] differences = differences(arm, baseline.get(), trials, value);
        boolean near = differences.length > 0
                && Stream.of(values, values(baseline.get(), trials, value))
                        .flatMap(Optional::stream)
                        .anyMatch(ArmMetric::isNearZero);
        // A ratio that surely differs from 1 in all rounds has a meaning, however much the values vary.
        boolean clear = ratio.filter(one -> one.pairs() == differences.length)
                .flatMap(Ratio::interval)
                .filter(Ratio.Interval::excludesOne)
                .isPresent();
        if (!near || clear) {
            return new ArmMetric(metric, values, ratio);
        }
        double shift = shift(metric, arm, trials, false) + shift(metric, baseline.get(), trials, false);
        Difference difference = Difference.of(differences, errors.ofDifference(), minPairs, shift);
        return new ArmMetric(metric, values, Optional.empty(), Optional.of(difference));
    }

    private static Optional<Spread> values(String arm, List<Trial> trials, Function<Trial, OptionalDouble> value) {
        return Spread.of(trials.stream()
                .filter(trial -> trial.arm().equals(arm) && !trial.run().warmUp() && trial.counts())
                .map(value)
                .flatMapToDouble(OptionalDouble::stream));
    }

    /** By which rounding may have moved the centre of an arm's numbers: of its logarithm, or in their unit. */
    static double shift(Metric metric, String arm, List<Trial> trials, boolean relative) {
        List<Trial> counted = trials.stream()
                .filter(trial -> trial.arm().equals(arm) && trial.counts())
                .filter(trial -> trial.metrics().containsKey(metric.name()))
                .toList();
        if (counted.isEmpty()) {
            return 0;
        }
        double[] numbers = counted.stream()
                .mapToDouble(trial -> trial.metric(metric.name()).orElseThrow())
                .toArray();
        double step = counted.stream()
                .mapToDouble(trial -> trial.step(metric.name()))
                .max()
                .orElseThrow();
        double shift = Rounding.shift(numbers, step);
        double centre = Spread.of(Arrays.stream(numbers)).orElseThrow().median();
        return relative ? -Math.log1p(-Math.min(MOST_SHIFT, shift / Math.abs(centre))) : shift;
    }

    private static double[] differences(
            String arm, String baseline, List<Trial> trials, Function<Trial, OptionalDouble> value) {
        Map<Integer, Double> ofArm = byRound(arm, trials, value);
        Map<Integer, Double> ofBaseline = byRound(baseline, trials, value);
        return ofArm.keySet().stream()
                .filter(ofBaseline::containsKey)
                .mapToDouble(round -> ofArm.getOrDefault(round, 0.0) - ofBaseline.getOrDefault(round, 0.0))
                .toArray();
    }

    /** Runs of an arm that count and failed or took too long. */
    static int bad(String arm, List<Trial> trials) {
        return (int) trials.stream()
                .filter(trial -> trial.arm().equals(arm) && !trial.run().warmUp())
                .filter(trial -> trial.outcome() == Outcome.FAILED || trial.outcome() == Outcome.TIMED_OUT)
                .count();
    }

    private static int count(List<Trial> trials, Outcome outcome) {
        return (int) trials.stream().filter(trial -> trial.outcome() == outcome).count();
    }

    private static Optional<Ratio> ratio(
            String arm,
            String baseline,
            List<Trial> trials,
            Function<Trial, OptionalDouble> value,
            Function<double[], Ratio> judge) {
        double[] quotients = quotients(arm, baseline, trials, value);
        return quotients.length == 0 ? Optional.empty() : Optional.of(judge.apply(quotients));
    }

    /**
     * The quotients of the rounds that both arms completed, in their order, without those that cannot be divided.
     *
     * @param value of a trial; a trial without one leaves its round out
     */
    public static double[] quotients(
            String arm, String baseline, List<Trial> trials, Function<Trial, OptionalDouble> value) {
        Map<Integer, Double> ofArm = byRound(arm, trials, value);
        Map<Integer, Double> ofBaseline = byRound(baseline, trials, value);
        return ofArm.keySet().stream()
                .filter(ofBaseline::containsKey)
                .mapToDouble(round -> ofArm.getOrDefault(round, 0.0) / ofBaseline.getOrDefault(round, 1.0))
                .filter(quotient -> quotient > 0 && Double.isFinite(quotient)) // a metric may be zero
                .toArray();
    }

    private static Map<Integer, Double> byRound(String arm, List<Trial> trials, Function<Trial, OptionalDouble> value) {
        Map<Integer, Double> byRound = new TreeMap<>();
        trials.stream()
                .filter(trial -> trial.arm().equals(arm) && trial.counts())
                .forEach(trial -> value.apply(trial)
                        .ifPresent(number -> byRound.put(trial.run().round(), number)));
        return byRound;
    }
}
