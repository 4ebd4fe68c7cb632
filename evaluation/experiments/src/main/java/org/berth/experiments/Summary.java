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
    public Summary {
        arms = List.copyOf(arms);
    }

    /** Trials of unknown arms are ignored; the order of trials does not matter. */
    public static Summary of(Experiment experiment, List<Trial> trials) {
        String baseline = experiment.arms().get(0).name();
        return new Summary(experiment.arms().stream()
                .map(arm -> summarise(arm.name(), baseline, trials))
                .toList());
    }

    private static ArmSummary summarise(String arm, String baseline, List<Trial> trials) {
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
                other.flatMap(base -> ratio(arm, base, trials, trial -> OptionalDouble.of(trial.wallSeconds()))),
                other.flatMap(base -> ratio(arm, base, trials, Trial::metric)),
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
            String arm, String baseline, List<Trial> trials, Function<Trial, OptionalDouble> value) {
        Map<Integer, Double> ofArm = byRound(arm, trials, value);
        Map<Integer, Double> ofBaseline = byRound(baseline, trials, value);
        double[] quotients = ofArm.keySet().stream()
                .filter(ofBaseline::containsKey)
                .mapToDouble(round -> ofArm.getOrDefault(round, 0.0) / ofBaseline.getOrDefault(round, 1.0))
                .filter(Double::isFinite) // a metric may be zero
                .toArray();
        return quotients.length == 0 ? Optional.empty() : Optional.of(Ratio.of(quotients));
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
