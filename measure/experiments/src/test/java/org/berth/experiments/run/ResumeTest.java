package org.berth.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.berth.experiments.Arm;
import org.berth.experiments.Claims;
import org.berth.experiments.Experiment;
import org.berth.experiments.Metric;
import org.berth.experiments.Trial;
import org.berth.experiments.Trial.Outcome;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.result.StoppingRule;
import org.berth.experiments.trial.RunTimeline;
import org.berth.machines.Machines;
import org.berth.observation.internal.threads.Expectation;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Experiments that go on where an interrupt or a crash ended them; the witness is a file that each run adds to. */
@Timeout(600)
class ResumeTest {
    private static final Topology TOPOLOGY = TopologyXml.parse(Machines.xml("2amd64-2n"));

    @TempDir
    private Path directory;

    private Experiment experiment(int rounds, String... names) {
        List<Arm> arms = List.of(names).stream().map(this::arm).toList();
        // Forward, backward, forward.
        return Experiment.of("resume", arms)
                .withSeed(3034)
                .withRounds(rounds)
                .withWarmUps(0)
                .withMetric(new Metric("x", "s", Pattern.compile("^x=(.*)")));
    }

    private Arm arm(String name) {
        List<String> command = List.of("sh", "-c", "echo " + name + " >>" + witness() + "; echo x=2.500; exit $CODE");
        return new Arm(name, command, Map.of("CODE", name.equals("bad") ? "3" : "0"), Expectation.none());
    }

    private Path witness() {
        return directory.resolve("witness");
    }

    private Path trials() {
        return directory.resolve("trials.jsonl");
    }

    private ExperimentRunner runner(Experiment experiment) {
        return new ExperimentRunner(experiment, TOPOLOGY, directory, Progress.NONE);
    }

    @Test
    void whatIsReadBackIsWhatWasMeasured() throws IOException {
        Experiment experiment = experiment(2, "a", "bad");
        ExperimentResult measured = runner(experiment).run();
        ExperimentResult read = runner(experiment).resume();
        assertThat(Files.readAllLines(witness())).containsExactly("a", "bad", "bad", "a");
        assertThat(read.trials())
                .extracting(Trial::outcome)
                .containsExactly(Outcome.COMPLETED, Outcome.FAILED, Outcome.FAILED, Outcome.COMPLETED);
        // A share of others that is not known, as of a run shorter than a clock tick, is NaN.
        assertThat(read.trials())
                .usingRecursiveComparison()
                .withComparatorForType(Double::compare, Double.class)
                .isEqualTo(measured.trials());
        assertThat(read.summary()).isEqualTo(measured.summary());
    }

    @Test
    void onlyWhatIsMissingRuns() throws IOException {
        runner(experiment(2, "a", "b")).run();
        List<String> lines = Files.readAllLines(trials());
        // The last run was stopped, and the one before it is cut off as by a crash.
        String cut = lines.get(5).substring(0, 100);
        String stopped = lines.get(6).replace("COMPLETED", "STOPPED");
        Files.writeString(trials(), String.join("\n", lines.subList(0, 5)) + "\n" + stopped + "\n" + cut);
        Files.delete(witness());

        ExperimentResult result = runner(experiment(2, "a", "b")).resume();

        assertThat(Files.readAllLines(witness())).containsExactly("b", "a");
        assertThat(result.trials()).hasSize(4).allMatch(Trial::counts);
        assertThat(result.trials()).extracting(trial -> trial.run().number()).containsExactly(1, 2, 3, 4);
    }

    /** The threads of an arm that does not run again are those of the process before. */
    @Test
    void timelinesOfTheFormerProcessStay() throws Exception {
        try (AwaitedSamples looks = AwaitedSamples.in(directory, 10)) {
            timelinesStay(looks.shell("$$", ":"));
        }
    }

    private void timelinesStay(String work) throws IOException {
        List<Arm> arms = List.of(Arm.of("busy", "sh", "-c", work), Arm.of("other", "sh", "-c", work));
        Experiment experiment = Experiment.of("timelines", arms)
                .withRounds(1)
                .withWarmUps(0)
                .withSeed(3034)
                .withSamplingInterval(Duration.ofMillis(10))
                .withThreads(Experiment.ThreadScope.ALL);
        ExperimentRunner first = runner(experiment);
        first.run();
        assertThat(first.timelines()).extracting(RunTimeline::arm).containsExactly("busy", "other");
        List<String> lines = Files.readAllLines(trials());
        Files.write(trials(), lines.subList(0, lines.size() - 1));

        ExperimentRunner second = runner(experiment);
        second.resume();

        assertThat(second.timelines()).extracting(RunTimeline::arm).containsExactly("busy", "other");
        assertThat(second.timelines().get(0).threads())
                .extracting(thread -> thread.track().tid())
                .isEqualTo(first.timelines().get(0).threads().stream()
                        .map(thread -> thread.track().tid())
                        .toList());
        assertThat(second.timelines().get(1).threads().get(0).pid())
                .isNotEqualTo(first.timelines().get(1).threads().get(0).pid());
    }

    /** A user who resumes gives no seed. */
    @Test
    void theOrderIsThatOfTheFirstRounds() throws IOException {
        Experiment first = experiment(6, "a", "b").withSeed(8);
        runner(first).run();
        List<String> lines = Files.readAllLines(trials());
        Files.write(trials(), lines.subList(0, 5));
        ExperimentResult result = runner(experiment(6, "a", "b")).resume();
        assertThat(result.trials())
                .extracting(Trial::run)
                .isEqualTo(first.schedule().runs());
    }

    /** Rounds that are added after seeing the others make verdicts wrong more often than they say. */
    @Test
    void moreRoundsAreAnotherExperiment() throws IOException {
        runner(experiment(1, "a", "b")).run();
        assertThatThrownBy(() -> runner(experiment(2, "a", "b")).resume())
                .hasMessage("it is another experiment: rounds was '1' and is '2'");
        assertThat(Files.readAllLines(witness())).containsExactly("a", "b");
    }

    /** A margin that is chosen after seeing the runs makes anything the same. */
    @Test
    void anotherMarginIsAnotherExperiment() throws IOException {
        runner(experiment(1, "a", "b")).run();
        Experiment other = experiment(1, "a", "b").withClaims(Claims.USUAL.withMargin(0.05));
        assertThatThrownBy(() -> runner(other).resume())
                .hasMessage("it is another experiment: margin was '0.02' and is '0.05'");
        assertThat(Files.readAllLines(witness())).containsExactly("a", "b");
    }

    /** The rule that ends an experiment sees the previous rounds, and its looks are those that were planned. */
    @Test
    void anExperimentUntilItIsDecidedGoesOnToTheSameEnd() throws IOException {
        Experiment experiment = experiment(20, "a", "b");
        decided(experiment, 20).run();
        assertThat(Files.readAllLines(witness())).as("6 rounds").hasSize(12);
        Files.write(trials(), Files.readAllLines(trials()).subList(0, 3 + 7));
        Files.delete(witness());

        ExperimentResult result = decided(experiment, 20).resume();

        assertThat(Files.readAllLines(witness())).containsExactly("a", "a", "b", "b", "a");
        assertThat(result.trials()).hasSize(12);
        assertThatThrownBy(() -> decided(experiment(30, "a", "b"), 30).resume())
                .hasMessageContaining("rounds was '20' and is '30'");
        assertThatThrownBy(() -> decided(experiment, 30).resume())
                .hasMessageContaining("until decided was 'looked at after rounds [6, 10, 13, 17, 20], ")
                .hasMessageContaining(" 30], ");
        assertThatThrownBy(() -> runner(experiment).resume()).hasMessageContaining("and is 'no'");
    }

    private ExperimentRunner decided(Experiment experiment, int most) {
        StoppingRule rule = StoppingRule.of(2, 6, most, Claims.USUAL);
        return new ExperimentRunner(experiment, TOPOLOGY, directory, Progress.NONE, Optional.of(rule));
    }

    @Test
    void anotherExperimentIsRefusedAndNothingRuns() throws IOException {
        runner(experiment(1, "a", "b")).run();
        Files.delete(witness());
        assertThatThrownBy(() -> runner(experiment(1, "a", "c")).resume())
                .isInstanceOf(DifferentExperimentException.class)
                .hasMessage("it is another experiment: arms was 'a, b' and is 'a, c'");
        Topology other = TopologyXml.parse(Machines.xml("256ppc-8n8s4t"));
        assertThatThrownBy(
                        () -> new ExperimentRunner(experiment(1, "a", "b"), other, directory, Progress.NONE).resume())
                .hasMessageContaining("CPUs was '0-1' and is '");
        Files.writeString(trials(), Files.readString(trials()).replace("\"schema\":4", "\"schema\":99"));
        assertThatThrownBy(() -> runner(experiment(1, "a", "b")).resume()).hasMessageContaining("has schema 99");
        String ofOlder = Files.readString(trials())
                .replace("\"schema\":99", "\"schema\":3")
                .replace(",\"seed\":3034", "");
        Files.writeString(trials(), ofOlder);
        assertThatThrownBy(() -> runner(experiment(1, "a", "b")).resume())
                .hasMessageContaining("which did not draw the order of runs");
        assertThat(witness()).doesNotExist();
    }
}
