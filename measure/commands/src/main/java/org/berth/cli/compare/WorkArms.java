package org.berth.cli.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.cli.compare.arms.CommandArms;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.arms.ExtraArms;
import org.berth.cli.compare.arms.PreparedComparison;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.observation.internal.threads.Expectation;
import org.berth.topology.Topology;

/** The arms of a command that an engine places by settings, each with the line that a user types to have it. */
final class WorkArms {
    private final List<String> command;
    private final List<Arm> arms = new ArrayList<>();
    private final Map<String, String> lines = new LinkedHashMap<>();

    WorkArms(List<String> command) {
        this.command = command;
    }

    void add(String name, List<String> words, Map<String, String> variables, boolean bound, String line) {
        arms.add(new Arm(name, words, variables, Expectation.none())
                .withBinding(bound ? Arm.Binding.BOUND : Arm.Binding.UNBOUND));
        lines.put(name, line);
    }

    /** Adds the user's own arms, and prepares the experiment. */
    PreparedComparison comparison(
            Topology topology, CompareArms plans, ExtraArms more, CompareFolder results, int rounds, PrintWriter err)
            throws IOException {
        CommandArms others = new CommandArms(topology, command, false, results::planFile);
        others.add(more);
        others.notes().forEach(err::println);
        arms.addAll(others.arms());
        Experiment experiment = Experiment.of(command.get(0), arms).withThreads(Experiment.ThreadScope.ALL);
        return new PreparedComparison(
                experiment.withRounds(rounds), plans.withAbsent(others.absent()).withLines(lines), results);
    }
}
