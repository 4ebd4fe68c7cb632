package org.berth.experiments.result;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.berth.experiments.Claims;
import org.berth.experiments.Experiment;
import org.berth.experiments.Metric;
import org.berth.experiments.SamplingSummary;
import org.berth.experiments.Trial;
import org.berth.experiments.Trial.Outcome;
import org.berth.experiments.Verdict;
import org.berth.experiments.statistics.Difference;
import org.berth.experiments.statistics.JointRanks;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Rounding;
import org.berth.experiments.statistics.Spread;
import org.berth.observation.internal.threads.ResidencyShare;

/**
 * What came out of an experiment, arm by arm in their order. A pure function of the trials.
 *
 * @param arms the first one is the baseline
 * @param kernel the verdict that binding is not worth it; empty when nothing shows that
 * @param bind where that is the question and the answer is another one; empty otherwise
 * @param claims what its verdicts claim
 */
public record Summary(
        List<ArmSummary> arms, Optional<KernelVerdict> kernel, Optional<BindVerdict> bind, Claims claims) {
    static final double ERROR = 0.05;

    private static final double SPENT_ON_FEW = 0.035;

    /** A number whose step is as large as itself says nothing. */
    private static final double MOST_SHIFT = 0.99;

    public Summary {
        arms = List.copyOf(arms);
    }

    /** Arms for which it is unknown what places their threads. */
    public Summary(List<ArmSummary> arms) {
        this(arms, Optional.empty(), Optional.empty(), Claims.USUAL);
    }

    /**
     * The summary of an experiment whose number of rounds was fixed before. Trials of unknown arms are ignored; the
     * order
     * of trials does not matter. Where rounds are missing there is no interval and no verdict: that they are missing
     * may have to do with what the others showed.
     *
     * <p>The intervals hold together: with k arms to compare with the baseline each has the confidence 1 - 0.05 / k
     * (Bonferroni), so
     * all of them cover the truth in 95 of 100 experiments, and in at most 5 is any arm called different that is not.
     * The
     * correction of Holm finds a little more when several arms differ, but has no intervals that agree with its
     * verdicts, and "faster" next to an interval that includes 1 is not credible. The maximum statistic of a
     * bootstrap needs the bootstrap to hold for a handful of pairs, which it does not ({@link Ratio}). Bonferroni makes
     * an
     * interval of 3 arms and 12 pairs 28 % wider than one alone; simulated, 3 arms without a difference gave a false
     * verdict in 1 to 5 of 100 experiments. Experiments of one {@link Claims#family} share the 5 %.
     *
     * <p>Of the numbers that the work prints, the first one is what the verdict is about, at the full rate: it does not
     * pay for the others. Their intervals hold together, too ({@link JointRanks}).
     *
     * <p>That an arm is equivalent is claimed by two one-sided tests at 5 % each, for each arm by itself.
     */
    public static Summary of(Experiment experiment, List<Trial> trials) {
        double error = errorOfArm(experiment);
        Optional<Look> end = Rounds.complete(experiment, trials) >= experiment.rounds()
                ? Optional.of(new Look(Integer.MAX_VALUE, new Rates(error, 2 * ERROR)))
                : Optional.empty();
        return of(experiment, trials, arm -> end);
    }

    /**
     * What an arm's interval may miss where all rounds run. Several intervals by Student's t, which few rounds have, miss more together
     * than they should where other work comes at intervals: simulated, 4 arms and 5 rounds called equal arms different in 6.0 of 100
     * experiments. So less is spent there.
     */
    public static double errorOfArm(Experiment experiment) {
        int intervals =
                experiment.claims().family() * Math.max(1, experiment.arms().size() - 1);
        boolean few = intervals > 1 && experiment.rounds() < Ratio.MIN_RANKS;
        return (few ? SPENT_ON_FEW : ERROR) / intervals;
    }

    /**
     * What intervals may miss.
     *
     * @param ofArm an arm's number of the verdict, or its wall time
     * @param ofEquivalence both sides of an equivalence together
     */
    record Rates(double ofArm, double ofEquivalence) {
        Ratio.Errors errors(double difference) {
            return new Ratio.Errors(difference, ofEquivalence);
        }
    }

    /**
     * What an arm is judged by.
     *
     * @param rounds trials after this round do not count
     */
    record Look(int rounds, Rates rates) {
        List<Trial> seen(List<Trial> trials) {
            return trials.stream()
                    .filter(trial -> trial.run().round() <= rounds)
                    .toList();
        }
    }

    /** A summary with these looks at each arm; an arm without one has no interval. */
    static Summary of(Experiment experiment, List<Trial> trials, Function<String, Optional<Look>> looks) {
        List<ArmSummary> arms = experiment.arms().stream()
                .map(arm -> summarise(arm.name(), experiment, trials, looks.apply(arm.name())))
                .toList();
        boolean lowLevel = arms.stream()
                .flatMap(arm -> arm.metrics().stream().limit(1))
                .anyMatch(one -> one.difference().isPresent());
        if (lowLevel) {
            return new Summary(arms, Optional.empty(), Optional.empty(), experiment.claims());
        }
        Optional<Metric> metric = arms.stream().anyMatch(ArmSummary::isJudgedByMetric)
                ? experiment.metrics().stream().findFirst()
                : Optional.empty();
        double margin = experiment.claims().margin();
        Optional<ArmRatios> ratios = ArmRatios.of(experiment, trials, metric, looks);
        Optional<KernelVerdict> kernel = ratios.flatMap(all -> KernelVerdict.of(all, margin));
        Optional<BindVerdict> bind =
                kernel.isPresent() ? Optional.empty() : ratios.flatMap(all -> BindVerdict.of(experiment, all));
        return new Summary(arms, kernel, bind, experiment.claims());
    }

    /** A verdict for each arm but the baseline, in their order. */
    public List<Verdict> verdicts() {
        return arms.stream().skip(1).map(arm -> arm.verdict(claims.margin())).toList();
    }

    private static ArmSummary summarise(String arm, Experiment experiment, List<Trial> trials, Optional<Look> look) {
        String baseline = experiment.arms().get(0).name();
        List<Trial> all = trials.stream()
                .filter(trial -> trial.arm().equals(arm) && !trial.run().warmUp())
                .toList();
        List<Trial> good = all.stream().filter(Trial::counts).toList();
        Optional<String> other = arm.equals(baseline) ? Optional.empty() : Optional.of(baseline);
        List<Trial> seen = good.stream()
                .filter(trial -> trial.sampling().mostThreads() > 0)
                .toList();
        List<Trial> judged = look.map(one -> one.seen(trials)).orElse(trials);
        Rates rates = look.map(Look::rates).orElse(new Rates(ERROR, 2 * ERROR));
        int minPairs = look.isPresent() ? Ratio.MIN_PAIRS : Integer.MAX_VALUE;
        double ofOthers = other.map(base -> errorOfOthers(experiment, arm, base, judged, rates.ofArm))
                .orElse(rates.ofArm);
        List<ArmMetric> metrics = new ArrayList<>();
        for (Metric metric : experiment.metrics()) {
            Ratio.Errors errors = rates.errors(metrics.isEmpty() ? rates.ofArm : ofOthers);
            metrics.add(metric(metric, arm, other, trials, judged, errors, minPairs));
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
                        judged,
                        trial -> OptionalDouble.of(trial.wallSeconds()),
                        quotients -> Ratio.of(quotients, rates.errors(rates.ofArm), minPairs, 0))),
                metrics,
                ArmMigrations.of(seen, SamplingSummary::migrations),
                ArmMigrations.of(seen, SamplingSummary::workerMigrations),
                good.stream()
                        .map(trial -> trial.sampling().residency())
                        .reduce(new ResidencyShare(0, 0), ResidencyShare::plus),
                ArmUsage.of(good));
    }

    /** What each number after the first one may miss, so that all of them together miss no more than the first. */
    private static double errorOfOthers(
            Experiment experiment, String arm, String baseline, List<Trial> trials, double error) {
        List<double[]> numbers = experiment.metrics().stream()
                .skip(1)
                .map(metric -> centred(arm, baseline, trials, trial -> trial.metric(metric.name())))
                .toList();
        return JointRanks.errorOfEach(numbers, error);
    }

    /** Logarithms of quotients, or differences where there is no quotient, of all rounds. */
    private static double[] centred(
            String arm, String baseline, List<Trial> trials, Function<Trial, OptionalDouble> value) {
        Map<Integer, Double> ofArm = byRound(arm, trials, value);
        Map<Integer, Double> ofBaseline = byRound(baseline, trials, value);
        boolean positive = Stream.concat(ofArm.values().stream(), ofBaseline.values().stream())
                .allMatch(number -> number > 0);
        double[] centred = new double
                [Stream.concat(ofArm.keySet().stream(), ofBaseline.keySet().stream())
                        .mapToInt(round -> round)
                        .max()
                        .orElse(0)];
        Arrays.fill(centred, Double.NaN);
        ofArm.forEach((round, number) -> {
            Double other = ofBaseline.get(round);
            if (other != null) {
                centred[round - 1] = positive ? Math.log(number / other) : number - other;
            }
        });
        return centred;
    }

    private static ArmMetric metric(
            Metric metric,
            String arm,
            Optional<String> baseline,
            List<Trial> all,
            List<Trial> trials,
            Ratio.Errors errors,
            int minPairs) {
        Function<Trial, OptionalDouble> value = trial -> trial.metric(metric.name());
        Optional<Spread> values = values(arm, all, value);
        Optional<Ratio> ratio = baseline.flatMap(base -> {
            double shift = shift(metric, arm, trials, true) + shift(metric, base, trials, true);
            return ratio(arm, base, trials, value, quotients -> Ratio.of(quotients, errors, minPairs, shift));
        });
        if (baseline.isEmpty()) {
            return new ArmMetric(metric, values, ratio);
        }
        double[] differences = differences(arm, baseline.get(), trials, value);
        boolean near = differences.length > 0
                && Stream.of(values, values(baseline.get(), all, value))
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

    /**
     * The amount by which rounding may have moved the centre of an arm's numbers: of its logarithm, or in their unit.
     */
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
