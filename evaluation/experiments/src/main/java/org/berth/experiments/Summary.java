package org.berth.experiments;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.berth.experiments.Trial.Outcome;
import org.berth.observation.MigrationCount;
import org.berth.observation.ResidencyShare;

/**
 * What came out of an experiment, arm by arm in their order. A pure function of the trials.
 *
 * @param arms the first one is the baseline
 */
public record Summary(List<ArmSummary> arms) {
    static final double ERROR = 0.05;

    public Summary {
        arms = List.copyOf(arms);
    }

    /**
     * The summary of an experiment whose number of rounds was fixed before. Trials of unknown arms are ignored; the order
     * of trials does not matter.
     *
     * <p>The intervals hold together: with k arms beside the baseline each has the confidence 1 - 0.05 / k (Bonferroni), so
     * all of them cover the truth in 95 of 100 experiments, and in at most 5 is any arm called different that is not. The
     * correction of Holm finds a little more when several arms differ, but has no intervals that agree with its verdicts,
     * and an engineer who reads "faster" beside an interval that includes 1 believes neither. The maximum statistic of a
     * bootstrap needs the bootstrap to hold for a handful of pairs, which it does not ({@link Ratio}). Bonferroni makes an
     * interval of 3 arms and 12 pairs 28 % wider than one alone; simulated, 3 arms without a difference gave a false
     * verdict in 1 to 5 of 100 experiments.
     */
    public static Summary of(Experiment experiment, List<Trial> trials) {
        int comparisons = Math.max(1, experiment.arms().size() - 1);
        return of(experiment, trials, ERROR / comparisons, Ratio.MIN_PAIRS);
    }

    /** With this error for each arm, and no interval for fewer pairs. */
    static Summary of(Experiment experiment, List<Trial> trials, double error, int minPairs) {
        String baseline = experiment.arms().get(0).name();
        return new Summary(experiment.arms().stream()
                .map(arm -> summarise(arm.name(), baseline, trials, quotients -> Ratio.of(quotients, error, minPairs)))
                .toList());
    }

    /**
     * A verdict for each arm but the baseline, in their order.
     *
     * @param margin relative difference that does not matter: {@link Verdict#MARGIN} for 2 %
     */
    public List<Verdict> verdicts(double margin) {
        return arms.stream().skip(1).map(arm -> Verdict.of(arm.ratio(), margin)).toList();
    }

    private static ArmSummary summarise(
            String arm, String baseline, List<Trial> trials, Function<double[], Ratio> judge) {
        List<Trial> all = trials.stream()
                .filter(trial -> trial.arm().equals(arm) && !trial.turn().warmUp())
                .toList();
        List<Trial> good = all.stream().filter(Trial::counts).toList();
        Optional<String> other = arm.equals(baseline) ? Optional.empty() : Optional.of(baseline);
        List<Trial> seen = good.stream()
                .filter(trial -> trial.observed().mostThreads() > 0)
                .toList();
        boolean kernelTold = !seen.isEmpty()
                && seen.stream().allMatch(trial -> migrations(trial).source() == MigrationCount.Source.KERNEL);
        // Either source for all runs: numbers of different kinds have no median.
        ToDoubleFunction<MigrationCount> betweenCpus =
                kernelTold ? MigrationCount::betweenCpus : MigrationCount::seenBetweenCpus;
        return new ArmSummary(
                arm,
                good.size(),
                count(all, Outcome.FAILED),
                count(all, Outcome.TIMED_OUT),
                Spread.of(good.stream().mapToDouble(Trial::wallSeconds)),
                Spread.of(good.stream().map(Trial::metric).flatMapToDouble(OptionalDouble::stream)),
                other.flatMap(base -> ratio(arm, base, trials, trial -> OptionalDouble.of(trial.wallSeconds()), judge)),
                other.flatMap(base -> ratio(arm, base, trials, Trial::metric, judge)),
                Spread.of(seen.stream().map(Summary::migrations).mapToDouble(betweenCpus)),
                Spread.of(seen.stream().map(Summary::migrations).mapToDouble(MigrationCount::seenBetweenNodes)),
                Spread.of(seen.stream().map(Summary::ofWorkers).mapToDouble(betweenCpus)),
                Spread.of(seen.stream().map(Summary::ofWorkers).mapToDouble(MigrationCount::seenBetweenNodes)),
                kernelTold ? MigrationCount.Source.KERNEL : MigrationCount.Source.SAMPLES,
                good.stream()
                        .map(trial -> trial.observed().residency())
                        .reduce(new ResidencyShare(0, 0), ResidencyShare::plus),
                ArmUsage.of(good));
    }

    private static MigrationCount migrations(Trial trial) {
        return trial.observed().migrations();
    }

    private static MigrationCount ofWorkers(Trial trial) {
        return trial.observed().workerMigrations();
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

    /** Of the rounds that both completed, in their order; of these, those that can be divided. */
    static double[] quotients(String arm, String baseline, List<Trial> trials, Function<Trial, OptionalDouble> value) {
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
                        .ifPresent(number -> byRound.put(trial.turn().round(), number)));
        return byRound;
    }
}
