package org.berth.experiments;

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
     * <p>Of the numbers that the work prints, each is one more comparison: with m of them the confidence of their
     * intervals is 1 - 0.05 / (k m), so that the verdicts about all of them hold together.
     */
    public static Summary of(Experiment experiment, List<Trial> trials) {
        int comparisons = Math.max(1, experiment.arms().size() - 1);
        double error = ERROR / comparisons;
        return of(
                experiment,
                trials,
                error,
                error / Math.max(1, experiment.metrics().size()),
                Ratio.MIN_PAIRS);
    }

    /** A summary with these errors for each arm's wall time and each of its metrics, and no interval for fewer pairs. */
    static Summary of(Experiment experiment, List<Trial> trials, double error, double errorOfMetric, int minPairs) {
        String baseline = experiment.arms().get(0).name();
        List<ArmSummary> arms = experiment.arms().stream()
                .map(arm -> summarise(
                        arm.name(),
                        baseline,
                        trials,
                        experiment.metrics(),
                        quotients -> Ratio.of(quotients, error, minPairs),
                        errorOfMetric,
                        minPairs))
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
        double each = metric.isPresent() ? errorOfMetric : error;
        Optional<ArmRatios> ratios =
                ArmRatios.of(experiment, trials, metric, each * Math.max(1, arms.size() - 1), minPairs);
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
            String arm,
            String baseline,
            List<Trial> trials,
            List<Metric> metrics,
            Function<double[], Ratio> judge,
            double errorOfMetric,
            int minPairs) {
        List<Trial> all = trials.stream()
                .filter(trial -> trial.arm().equals(arm) && !trial.run().warmUp())
                .toList();
        List<Trial> good = all.stream().filter(Trial::counts).toList();
        Optional<String> other = arm.equals(baseline) ? Optional.empty() : Optional.of(baseline);
        List<Trial> seen = good.stream()
                .filter(trial -> trial.sampling().mostThreads() > 0)
                .toList();
        return new ArmSummary(
                arm,
                good.size(),
                count(all, Outcome.FAILED),
                count(all, Outcome.TIMED_OUT),
                Spread.of(good.stream().mapToDouble(Trial::wallSeconds)),
                other.flatMap(base -> ratio(arm, base, trials, trial -> OptionalDouble.of(trial.wallSeconds()), judge)),
                metrics.stream()
                        .map(metric -> metric(metric, arm, other, trials, errorOfMetric, minPairs))
                        .toList(),
                ArmMigrations.of(seen, SamplingSummary::migrations),
                ArmMigrations.of(seen, SamplingSummary::workerMigrations),
                good.stream()
                        .map(trial -> trial.sampling().residency())
                        .reduce(new ResidencyShare(0, 0), ResidencyShare::plus),
                ArmUsage.of(good));
    }

    private static ArmMetric metric(
            Metric metric, String arm, Optional<String> baseline, List<Trial> trials, double error, int minPairs) {
        Function<Trial, OptionalDouble> value = trial -> trial.metric(metric.name());
        Optional<Spread> values = values(arm, trials, value);
        Optional<Ratio> ratio = baseline.flatMap(
                base -> ratio(arm, base, trials, value, quotients -> Ratio.of(quotients, error, minPairs)));
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
        return near && !clear
                ? new ArmMetric(
                        metric, values, Optional.empty(), Optional.of(Difference.of(differences, error, minPairs)))
                : new ArmMetric(metric, values, ratio);
    }

    private static Optional<Spread> values(String arm, List<Trial> trials, Function<Trial, OptionalDouble> value) {
        return Spread.of(trials.stream()
                .filter(trial -> trial.arm().equals(arm) && !trial.run().warmUp() && trial.counts())
                .map(value)
                .flatMapToDouble(OptionalDouble::stream));
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
