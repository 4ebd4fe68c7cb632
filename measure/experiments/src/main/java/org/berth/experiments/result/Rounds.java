package org.berth.experiments.result;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Trial;

/** The rounds of an experiment that are over. Pure. */
final class Rounds {
    private Rounds() {}

    /** How many there are from the first one on in which every arm had its run, whatever came out. */
    static int complete(Experiment experiment, List<Trial> trials) {
        return complete(experiment.arms().stream().map(Arm::name).collect(Collectors.toSet()), trials);
    }

    /** The same for some of the arms. */
    static int complete(Set<String> arms, List<Trial> trials) {
        Map<Integer, Set<String>> ran = trials.stream()
                .filter(trial -> !trial.run().warmUp() && trial.outcome() != Trial.Outcome.STOPPED)
                .collect(Collectors.groupingBy(
                        trial -> trial.run().round(),
                        Collectors.mapping(Trial::arm, Collectors.toCollection(HashSet::new))));
        int complete = 0;
        while (ran.getOrDefault(complete + 1, Set.of()).containsAll(arms)) {
            complete++;
        }
        return complete;
    }
}
