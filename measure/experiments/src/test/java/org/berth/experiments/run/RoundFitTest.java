package org.berth.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Verdict;
import org.berth.experiments.result.ExperimentResult;
import org.berth.machines.Machines;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The number of rounds by the time that the warm-ups took. */
final class RoundFitTest {
    private static final Topology TOPOLOGY = TopologyXml.parse(Machines.xml("2amd64-2n"));
    private static final int MOST = 7;
    private static final int LEAST = 5;

    @TempDir
    private Path folder;

    private ExperimentRunner runner(Duration time) {
        Experiment experiment = Experiment.of("fit", List.of(Arm.of("none", "true"), Arm.of("other", "true")))
                .withRounds(MOST)
                .withSeed(20261128);
        return new ExperimentRunner(
                experiment,
                TOPOLOGY,
                folder.resolve("results"),
                Progress.NONE,
                Optional.empty(),
                Optional.of(new RoundFit(time, LEAST)));
    }

    @Test
    void aShortTimeHasTheLeastNumberOfRoundsAndTheirVerdictsCount() throws IOException {
        ExperimentResult result = runner(Duration.ofMillis(1)).run();
        assertThat(result.experiment().rounds()).isEqualTo(LEAST);
        assertThat(result.trials()).hasSize(2 + 2 * LEAST);
        assertThat(result.summary().verdicts())
                .extracting(Verdict::kind)
                .doesNotContain(Verdict.Kind.NOT_ENDED, Verdict.Kind.TOO_FEW_PAIRS);
    }

    @Test
    void aLongTimeHasTheExperimentsOwnNumber() throws IOException {
        assertThat(runner(Duration.ofDays(1)).run().trials()).hasSize(2 + 2 * MOST);
    }

    /** Otherwise a second start could add rounds after a look at the first ones. */
    @Test
    void anExperimentThatGoesOnHasTheNumberThatItHad() throws IOException {
        runner(Duration.ofMillis(1)).run();
        ExperimentResult again = runner(Duration.ofMillis(1)).resume();
        assertThat(again.trials()).hasSize(2 + 2 * LEAST);
        assertThat(again.experiment().rounds()).isEqualTo(LEAST);
    }
}
