package org.berth.experiments.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Metric;
import org.berth.experiments.Verdict;
import org.berth.experiments.run.DifferentExperimentException;
import org.berth.machines.Machines;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that print how long they took, so that the load of the machine does not decide. */
@Timeout(600)
class RaceRunnerTest {
    private static final Topology TOPOLOGY = TopologyXml.parse(Machines.xml("256ppc-8n8s4t"));
    private static final RaceBudget SHORT = new RaceBudget(OptionalInt.of(32), Optional.empty());

    @TempDir
    private Path directory;

    private final List<String> stages = new ArrayList<>();

    private static Arm arm(String name, String script) {
        return Arm.of(name, "sh", "-c", script);
    }

    private RaceResult race(RaceBudget budget, Arm... arms) throws IOException {
        return race(
                budget,
                new RaceProgress() {
                    @Override
                    public void begins(String stage, Experiment part) {
                        stages.add(stage + " "
                                + part.arms().stream().map(Arm::name).toList() + " " + part.rounds());
                    }
                },
                arms);
    }

    private RaceResult race(RaceBudget budget, RaceProgress progress, Arm... arms) throws IOException {
        Experiment experiment =
                Experiment.of("race", List.of(arms)).withMetric(new Metric("x", "s", Pattern.compile("^x=(.*)")));
        return new RaceRunner(experiment, budget, TOPOLOGY, directory, progress).run();
    }

    private RaceResult resume(RaceBudget budget, Arm... arms) throws IOException {
        Experiment experiment =
                Experiment.of("race", List.of(arms)).withMetric(new Metric("x", "s", Pattern.compile("^x=(.*)")));
        return new RaceRunner(experiment, budget, TOPOLOGY, directory, new RaceProgress() {}).resume();
    }

    /** Outcomes as the log has them. */
    private List<String> lines(String stage) throws IOException {
        return Files.readAllLines(directory.resolve(stage).resolve("trials.jsonl")).stream()
                .filter(line -> line.contains("\"kind\":\"trial\""))
                .toList();
    }

    @Test
    void theWinnerIsConfirmedByFreshRuns() throws IOException {
        RaceResult result = race(
                SHORT,
                arm("none", "echo x=10.000"),
                arm("good", "echo x=9.000"),
                arm("worse", "echo x=11.000"),
                arm("broken", "exit 3"),
                arm("best", "echo x=8.000"));
        assertThat(result.withdrawn()).extracting(Arm::name).containsExactly("broken");
        assertThat(result.winner()).map(Arm::name).contains("best");
        assertThat(result.verdict().orElseThrow().kind()).isEqualTo(Verdict.Kind.FASTER);
        assertThat(result.confirmed().orElseThrow().metricRatio().orElseThrow().estimate())
                .isEqualTo(0.8);
        assertThat(result.stopped()).isFalse();
        assertThat(stages)
                .containsExactly(
                        "warm-up [none, good, worse, broken, best] 1",
                        "heat-1 [none, good, worse, best] 2",
                        "heat-2 [none, good, best] 2",
                        "confirmation [none, best] 6");
        assertThat(lines("heat-2")).hasSize(6);
        assertThat(lines("confirmation")).hasSize(12).allMatch(line -> line.contains("COMPLETED"));
        assertThat(result.race().orElseThrow().standings().get(0).quotients()).containsExactly(0.9, 0.9, 0.9, 0.9);
    }

    @Test
    void whatIsTheSameIsNotSaidToHelp() throws IOException {
        RaceResult result = race(SHORT, arm("none", "echo x=10.000"), arm("same", "echo x=10.000"));
        assertThat(stages).containsExactly("warm-up [none, same] 1", "confirmation [none, same] 12");
        assertThat(result.winner()).map(Arm::name).contains("same");
        assertThat(result.verdict().orElseThrow().kind()).isEqualTo(Verdict.Kind.EQUIVALENT);
        assertThat(lines("confirmation")).as("ended early").hasSize(12);
    }

    @Test
    void nothingRunsWithoutABaselineOrWithTooSmallABudget() throws IOException {
        RaceResult broken = race(SHORT, arm("none", "exit 1"), arm("a", "echo x=1.000"));
        assertThat(broken.race()).isEmpty();
        assertThat(broken.winner()).isEmpty();
        directory = directory.resolve("small");
        RaceBudget small = new RaceBudget(OptionalInt.empty(), Optional.of(Duration.ofNanos(1)));
        assertThat(race(small, arm("none", "echo x=1.000"), arm("a", "echo x=1.000"))
                        .race())
                .isEmpty();
        assertThat(stages).allMatch(stage -> stage.startsWith("warm-up"));
    }

    @Test
    void anInterruptKeepsWhatWasRunSoFarAndTheRaceGoesOnFromThere() throws IOException {
        Arm[] arms = {
            arm("none", "echo x=10.000"), arm("a", "echo x=9.000"), arm("b", "echo x=12.000"), arm("c", "echo x=8.000"),
        };
        RaceResult result = race(
                SHORT,
                new RaceProgress() {
                    @Override
                    public void ended(Race race) {
                        Thread.currentThread().interrupt();
                    }
                },
                arms);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(result.stopped()).isTrue();
        assertThat(result.confirmation()).isEmpty();
        assertThat(result.winner()).isEmpty();
        Race race = result.race().orElseThrow();
        assertThat(race.heat()).isEqualTo(1);
        assertThat(result.arm(race.leader().orElseThrow()).name()).isEqualTo("c");

        List<String> before = lines("heat-1");
        RaceResult resumed = resume(SHORT, arms);
        assertThat(resumed.winner()).map(Arm::name).contains("c");
        assertThat(resumed.verdict().orElseThrow().kind()).isEqualTo(Verdict.Kind.FASTER);
        assertThat(lines("warm-up")).as("nothing is run twice").hasSize(4);
        assertThat(lines("heat-1")).isEqualTo(before);
        arms[3] = arm("c", "echo x=7.000");
        assertThatThrownBy(() -> resume(SHORT, arms))
                .isInstanceOf(DifferentExperimentException.class)
                .hasMessageContaining("command of c was");
    }
}
