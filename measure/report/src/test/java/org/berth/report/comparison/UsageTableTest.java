package org.berth.report.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.result.ExperimentResult;
import org.junit.jupiter.api.Test;

class UsageTableTest {
    @Test
    void tellsWhyAnArmHasNoNumbers() {
        Experiment experiment = Experiment.of(
                "wordcount",
                List.of(
                        Arm.of("local", "true"),
                        Arm.of("yarn", "true").withWorkElsewhere("containers run below a cluster"),
                        Arm.of("tez", "true").withWorkElsewhere("containers run below a cluster")));
        ExperimentResult result =
                new ExperimentResult(experiment, List.of(), false, Path.of("results"), Optional.empty());
        assertThat(UsageTable.missing(result))
                .containsExactly("Not accounted for: yarn, tez (containers run below a cluster).");
    }
}
