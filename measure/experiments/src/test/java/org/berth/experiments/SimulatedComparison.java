package org.berth.experiments;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.commons.math3.random.RandomGenerator;
import org.berth.experiments.Arm.Binding;
import org.berth.experiments.Trial.Outcome;
import org.berth.experiments.result.Summary;
import org.berth.experiments.run.RoundFit;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.threads.MigrationCount;

/**
 * Runs whose truth is known, as the product's own trials, and what it makes of them. The first arm leaves placement to the kernel, the
 * others are bound.
 *
 * @param seconds of a run, before noise
 * @param step to which printed numbers are rounded; 0: not at all
 * @param numbers that each run prints, of which the first is its time; 0: the wall time counts
 * @param common the share of the variance of the other numbers that they have together
 * @param shift of the logarithm of the second arm's last number
 * @param failing how many of the second arm's runs fail
 */
record SimulatedComparison(double seconds, double step, int numbers, double common, double shift, double failing) {
    static final SimulatedComparison PLAIN = new SimulatedComparison(15, 0, 0, 0, 0, 0);
    private static final SamplingSummary UNSEEN = new SamplingSummary(
            0, 0, 0, MigrationCount.ZERO, MigrationCount.ZERO, new ResidencyShare(0, 0), Duration.ZERO);
    /** A short line: the log is no file. */
    private static final Path LOG = Path.of("log");

    static Experiment experiment(int arms, int rounds, int numbers) {
        return Experiment.of(
                        "simulated",
                        IntStream.range(0, arms)
                                .mapToObj(arm -> Arm.of("arm" + arm, "true")
                                        .withBinding(arm == 0 ? Binding.UNBOUND : Binding.BOUND))
                                .toList())
                .withRounds(rounds)
                .withMetrics(IntStream.range(0, numbers)
                        .mapToObj(number -> new Metric("number" + number, "s", Pattern.compile("(x)")))
                        .toList());
    }

    /** The trials of such runs. */
    List<Trial> trials(Simulation simulation, int rounds, double... truths) {
        double[][] logs = simulation.logs(rounds, true, truths);
        List<Trial> trials = new ArrayList<>();
        RandomGenerator random = simulation.random();
        for (int arm = 0; arm < logs.length; arm++) {
            for (int round = 1; round <= rounds; round++) {
                double time = seconds * Math.exp(logs[arm][round - 1]);
                boolean fails = arm == 1 && failing > 0 && random.nextDouble() < failing;
                trials.add(trial(arm, round, time, fails, printed(random, arm, time)));
            }
        }
        return trials;
    }

    private Map<String, Double> printed(RandomGenerator random, int arm, double time) {
        Map<String, Double> printed = new HashMap<>();
        double shared = random.nextGaussian();
        for (int number = 0; number < numbers; number++) {
            double own = 0.03 * (Math.sqrt(common) * shared + Math.sqrt(1 - common) * random.nextGaussian());
            own += arm == 1 && number == numbers - 1 ? shift : 0;
            double value = number == 0 ? time : seconds * Math.exp(own);
            printed.put("number" + number, step > 0 ? Math.rint(value / step) * step : value);
        }
        return printed;
    }

    private Trial trial(int arm, int round, double time, boolean fails, Map<String, Double> printed) {
        Map<String, Double> steps = new HashMap<>();
        printed.keySet().forEach(name -> steps.put(name, step));
        return new Trial(
                new ScheduledRun(round * 100 + arm, round, arm),
                "arm" + arm,
                fails ? Outcome.FAILED : Outcome.COMPLETED,
                OptionalInt.of(fails ? 1 : 0),
                Duration.ofNanos(Math.round(time * 1e9)),
                printed,
                step > 0 ? steps : Map.of(),
                UNSEEN,
                ResourceUsage.NOTHING,
                0,
                LOG,
                List.of());
    }

    /** What a comparison of a fixed number of rounds says. */
    Summary summary(Simulation simulation, int rounds, Claims claims, double... truths) {
        Experiment experiment = experiment(truths.length + 1, rounds, numbers).withClaims(claims);
        return Summary.of(experiment, trials(simulation, rounds, truths));
    }

    /** What a comparison says whose number of rounds follows from the time of a warm-up on the same machine. */
    Summary fitted(Simulation simulation, RoundFit fit, int most, double... truths) {
        Experiment longest = experiment(truths.length + 1, most, numbers);
        List<Trial> warmUps = new ArrayList<>();
        List<Trial> counted = new ArrayList<>();
        for (Trial trial : trials(simulation, most + 1, truths)) {
            int round = trial.run().round() - 1;
            (round == 0 ? warmUps : counted).add(in(round, trial));
        }
        Experiment experiment = longest.withRounds(fit.rounds(longest, warmUps));
        return Summary.of(
                experiment,
                counted.stream()
                        .filter(trial -> trial.run().round() <= experiment.rounds())
                        .toList());
    }

    private static Trial in(int round, Trial trial) {
        return new Trial(
                new ScheduledRun(trial.run().number(), round, trial.run().arm()),
                trial.arm(),
                trial.outcome(),
                trial.exitCode(),
                trial.wall(),
                trial.metrics(),
                trial.steps(),
                trial.sampling(),
                trial.resources(),
                trial.othersShare(),
                trial.log(),
                trial.notes());
    }
}
