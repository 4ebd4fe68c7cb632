package org.berth.experiments.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.regex.Pattern;
import org.berth.experiments.Arm;
import org.berth.experiments.Arm.Binding;
import org.berth.experiments.Experiment;
import org.berth.experiments.KernelSwitch;
import org.berth.experiments.Metric;
import org.berth.experiments.ResourceUsage;
import org.berth.experiments.SamplingSummary;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.Trial.Outcome;
import org.berth.experiments.statistics.Ratio;
import org.berth.observation.internal.threads.ResidencyShare;
import org.berth.observation.threads.MigrationCount;
import org.junit.jupiter.api.Test;

/** Planted truths: how long each arm takes is given, with noise. */
class KernelVerdictTest {
    private static final Metric RATE = new Metric("rate", "op/s", Metric.Better.HIGHER, Pattern.compile("(x)"));

    private static final KernelSwitch BALANCING = KernelSwitch.of(Path.of("numa_balancing"), "1", "numa_balancing");

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);

    private record Planted(String arm, boolean leftToKernel, double seconds) {}

    private Optional<KernelVerdict> verdict(double noise, int rounds, Planted... planted) {
        return summary(noise, rounds, false, planted).kernel();
    }

    private Summary summary(double noise, int rounds, boolean rate, Planted... planted) {
        List<Arm> arms = new ArrayList<>();
        List<Trial> trials = new ArrayList<>();
        for (Planted one : planted) {
            Arm arm = Arm.of(one.arm, "true").withBinding(one.leftToKernel ? Binding.UNBOUND : Binding.BOUND);
            arms.add(one.arm.startsWith("balance") ? arm.under(List.of(BALANCING), one.arm) : arm);
            for (int round = 1; round <= rounds; round++) {
                trials.add(trial(one.arm, round, one.seconds * Math.exp(noise * random.nextGaussian())));
            }
        }
        Experiment experiment = Experiment.of("planted", arms).withRounds(rounds);
        return Summary.of(rate ? experiment.withMetric(RATE) : experiment, trials);
    }

    private static Trial trial(String arm, int round, double seconds) {
        return new Trial(
                new ScheduledRun(round, round, 0),
                arm,
                Outcome.COMPLETED,
                OptionalInt.of(0),
                Duration.ofNanos((long) (seconds * 1e9)),
                Map.of(RATE.name(), 100 / seconds),
                new SamplingSummary(
                        0, 0, 0, MigrationCount.ZERO, MigrationCount.ZERO, new ResidencyShare(0, 0), Duration.ZERO),
                ResourceUsage.NOTHING,
                0,
                Path.of("log"),
                List.of());
    }

    @Test
    void balancingThatIsAsGoodAsTheBestBoundArm() {
        KernelVerdict verdict = verdict(
                        0.002,
                        12,
                        new Planted("none", true, 12),
                        new Planted("numa", false, 10),
                        new Planted("core", false, 11),
                        new Planted("balancing", true, 10))
                .orElseThrow(() -> new AssertionError("no verdict, seed " + seed));
        assertThat(verdict.arm()).isEqualTo("balancing");
        assertThat(verdict.bestBound()).isEqualTo("numa");
        assertThat(verdict.ratio().estimate()).isEqualTo(1, within(0.02));
        assertThat(verdict.ratio().interval())
                .hasValueSatisfying(
                        ends -> assertThat(ends.within(0.02)).as("seed " + seed).isTrue());
    }

    @Test
    void theUnboundArmComesFirstWhenNothingOfTheKernelIsBetter() {
        assertThat(verdict(
                        0,
                        8,
                        new Planted("none", true, 10),
                        new Planted("core", false, 11),
                        new Planted("balancing", true, 10.05)))
                .map(KernelVerdict::arm)
                .contains("none");
        assertThat(verdict(
                        0,
                        8,
                        new Planted("none", true, 10),
                        new Planted("core", false, 11),
                        new Planted("balancing", true, 9)))
                .map(KernelVerdict::arm)
                .contains("balancing");
    }

    @Test
    void oneBetterBoundArmIsEnoughToSayNothing() {
        assertThat(verdict(
                        0.002,
                        12,
                        new Planted("none", true, 12),
                        new Planted("core", false, 12),
                        new Planted("numa", false, 10),
                        new Planted("balancing", true, 11)))
                .as("seed " + seed)
                .isEmpty();
    }

    @Test
    void noiseAndFewRunsSayNothing() {
        Planted none = new Planted("none", true, 10);
        Planted core = new Planted("core", false, 10);
        List<Trial> wild = new ArrayList<>();
        for (int round = 1; round <= 8; round++) {
            wild.add(trial("none", round, 10));
            wild.add(trial("core", round, round % 2 == 0 ? 7 : 13));
        }
        Experiment experiment = Experiment.of(
                "wild",
                List.of(
                        Arm.of("none", "true").withBinding(Binding.UNBOUND),
                        Arm.of("core", "true").withBinding(Binding.BOUND)));
        assertThat(Summary.of(experiment, wild).kernel()).isEmpty();
        assertThat(verdict(0, Ratio.MIN_PAIRS - 1, none, core)).isEmpty();
        assertThat(verdict(0, Ratio.MIN_PAIRS, none, core)).isPresent();
    }

    @Test
    void withoutArmsOfBothKindsThereIsNoVerdict() {
        assertThat(verdict(0, 8, new Planted("none", true, 10), new Planted("balancing", true, 9)))
                .isEmpty();
        assertThat(verdict(0, 8, new Planted("numa", false, 10), new Planted("core", false, 9)))
                .isEmpty();
    }

    /** An arm that differs in something else, such as a JVM's collector, is neither. */
    @Test
    void anArmOfUnknownBindingDoesNotTakePart() {
        for (double seconds : new double[] {5, 10, 15}) {
            Experiment experiment = Experiment.of(
                    "other", List.of(Arm.of("none", "true").withBinding(Binding.UNBOUND), Arm.of("zgc", "true")));
            List<Trial> trials = new ArrayList<>();
            for (int round = 1; round <= 8; round++) {
                trials.add(trial("none", round, 10));
                trials.add(trial("zgc", round, seconds));
            }
            assertThat(Summary.of(experiment, trials).kernel()).isEmpty();
        }
    }

    @Test
    void aThroughputIsJudgedTheOtherWayRound() {
        Planted none = new Planted("none", true, 10);
        assertThat(summary(0, 8, true, none, new Planted("core", false, 11)).kernel())
                .hasValueSatisfying(
                        verdict -> assertThat(verdict.ratio().estimate()).isEqualTo(10 / 11.0, within(1e-6)));
        assertThat(summary(0, 8, true, none, new Planted("core", false, 9)).kernel())
                .isEmpty();
    }

    /** Three bound arms, one of which is better by 4 %: in at most 5 of 100 experiments may it be overlooked. */
    @Test
    void theVerdictIsRarelyWrong() {
        int experiments = 400;
        int wrong = 0;
        for (int i = 0; i < experiments; i++) {
            wrong += verdict(
                                    0.015,
                                    12,
                                    new Planted("none", true, 10),
                                    new Planted("package", false, 10),
                                    new Planted("core", false, 9.6),
                                    new Planted("pu", false, 10))
                            .isPresent()
                    ? 1
                    : 0;
        }
        // 20 are expected at most; more than 40 of 400 has a chance below 1 in 10,000.
        assertThat(wrong).as("seed " + seed).isLessThan(40);
    }

    @Test
    void bindingPaysWhenItIsBetterThanEveryUnboundArm() {
        Summary summary = summary(
                0.002,
                12,
                false,
                new Planted("none", true, 12),
                new Planted("bind", false, 10),
                new Planted("balance", true, 11),
                new Planted("bind+balance", false, 10.5));
        BindVerdict verdict = summary.bind().orElseThrow(() -> new AssertionError("no verdict, seed " + seed));
        assertThat(summary.kernel()).as("seed " + seed).isEmpty();
        assertThat(verdict.binds()).as("seed " + seed).isTrue();
        assertThat(verdict.bound()).isEqualTo("bind");
        assertThat(verdict.unbound()).isEqualTo("balance");
        assertThat(verdict.ratio().estimate()).isEqualTo(10 / 11.0, within(0.02));
    }

    @Test
    void ofTwoRatesTheHigherOneIsBetter() {
        assertThat(summary(
                                0,
                                8,
                                true,
                                new Planted("none", true, 12),
                                new Planted("bind", false, 10),
                                new Planted("balance", true, 11))
                        .bind())
                .hasValueSatisfying(verdict -> {
                    assertThat(verdict.binds()).isTrue();
                    assertThat(verdict.unbound()).isEqualTo("balance");
                    assertThat(verdict.ratio().estimate()).isEqualTo(1.1, within(1e-6));
                });
    }

    @Test
    void bindingThatIsNotBetterThanBalancingSettlesNothingOrLosesToTheKernel() {
        Planted none = new Planted("none", true, 12);
        Planted bind = new Planted("bind", false, 10);
        // Too few pairs for an interval.
        assertThat(summary(0, Ratio.MIN_PAIRS - 1, false, none, bind, new Planted("balance", true, 11))
                        .bind())
                .hasValueSatisfying(verdict -> assertThat(verdict.binds()).isFalse());
        Summary kernel = summary(0, 8, false, none, bind, new Planted("balance", true, 10));
        assertThat(kernel.kernel()).isPresent();
        assertThat(kernel.bind()).isEmpty();
        // Without a setting of the kernel the question is another one.
        assertThat(summary(0, 8, false, none, bind).bind()).isEmpty();
    }
}
