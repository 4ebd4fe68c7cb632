package org.berth.experiments.turns;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.berth.experiments.statistics.Ratio;

/**
 * How long tasks take in the turns of an arm, compared with those of the baseline in the same round and of the same stage.
 * What lasts longer than a round, such as the progress of the JIT compilers or load of others, drops out, and so does what
 * differs from stage to stage.
 *
 * <p>One number for each round is the unit of the test, since the tasks of a turn depend on each other: taken as
 * independent they gave 16 to 34 % false alarms in simulations. Had an arm no effect, each of these numbers could as well
 * have had the other sign, because the order within a round is drawn at random; so Wilcoxon's signed ranks are a
 * randomisation test, right for any distribution of the tasks' times. A task counts for the turn in the middle of its time;
 * what it ran in the turn before or after makes an effect look smaller.
 *
 * @param arm its number
 * @param rounds in which tasks of a stage had turns of both arms
 * @param tasks of this arm in these rounds
 * @param ratio the arm's time to the baseline's, for one look at the end of the trial; empty without a round. Its estimate
 *     comes from all tasks, its interval from times without far outliers, which shrinks an effect by a few hundredths of it
 * @param anytime an interval that may be looked at all the time; empty with few rounds
 */
public record TurnContrast(int arm, int rounds, long tasks, Optional<Ratio> ratio, Optional<Ratio.Interval> anytime) {
    /** Inputs that hardly differ say nothing about their effect. */
    private static final double LEAST_INPUT_SPREAD = 1e-6;

    private record Parts(double clamped, double plain, double weight, long tasks) {
        static Parts of(TaskSums baseline, TaskSums arm, double slope) {
            double weight = (double) baseline.tasks() * arm.tasks() / (baseline.tasks() + arm.tasks());
            return new Parts(
                    weight * (arm.mean(true, slope) - baseline.mean(true, slope)),
                    weight * (arm.mean(false, slope) - baseline.mean(false, slope)),
                    weight,
                    arm.tasks());
        }

        Parts plus(Parts other) {
            return new Parts(clamped + other.clamped, plain + other.plain, weight + other.weight, tasks + other.tasks);
        }
    }

    /**
     * Compares each arm but the baseline.
     *
     * @param error of all intervals of one kind together, 0.05 for 95 %
     */
    public static List<TurnContrast> of(TurnCells cells, TurnOrder order, double error) {
        List<TurnContrast> contrasts = new ArrayList<>();
        double slope = slope(cells);
        for (int arm = 1; arm < order.arms(); arm++) {
            contrasts.add(of(cells, order, arm, slope, error / (order.arms() - 1)));
        }
        return List.copyOf(contrasts);
    }

    private static TurnContrast of(TurnCells cells, TurnOrder order, int arm, double slope, double error) {
        TreeMap<Long, Parts> rounds = new TreeMap<>();
        for (Map<Long, TaskSums> turns : cells.stages().values()) {
            Map<Long, TaskSums> baseline = new HashMap<>();
            Map<Long, TaskSums> other = new HashMap<>();
            turns.forEach((turn, sums) -> {
                int its = order.arm(turn);
                if (its == 0 || its == arm) {
                    (its == 0 ? baseline : other).put(order.round(turn), sums);
                }
            });
            other.forEach((round, sums) -> {
                TaskSums base = baseline.get(round);
                if (base != null) {
                    rounds.merge(round, Parts.of(base, sums, slope), Parts::plus);
                }
            });
        }
        double[] clamped = rounds.values().stream()
                .mapToDouble(parts -> parts.clamped() / parts.weight())
                .toArray();
        double[] plain = rounds.values().stream()
                .mapToDouble(parts -> parts.plain() / parts.weight())
                .toArray();
        long tasks = rounds.values().stream().mapToLong(Parts::tasks).sum();
        if (clamped.length == 0) {
            return new TurnContrast(arm, 0, 0, Optional.empty(), Optional.empty());
        }
        Ratio tested = Ratio.of(exponentials(clamped), error);
        Ratio all = Ratio.of(exponentials(plain), error);
        Ratio ratio = new Ratio(
                all.estimate(),
                tested.interval(),
                tested.equivalence(),
                tested.detectable(),
                all.min(),
                all.max(),
                tested.pairs());
        return new TurnContrast(arm, clamped.length, tasks, Optional.of(ratio), AnytimeInterval.of(clamped, error));
    }

    private static double[] exponentials(double[] logs) {
        double[] all = new double[logs.length];
        for (int i = 0; i < logs.length; i++) {
            all[i] = Math.exp(logs[i]);
        }
        return all;
    }

    /** How much a task's time grows with its input, within stages and turns, and therefore without regard to arms. */
    private static double slope(TurnCells cells) {
        double spread = 0;
        double together = 0;
        for (Map<Long, TaskSums> turns : cells.stages().values()) {
            for (TaskSums sums : turns.values()) {
                spread += sums.inputSpread();
                together += sums.together();
            }
        }
        return spread > LEAST_INPUT_SPREAD ? together / spread : 0;
    }
}
