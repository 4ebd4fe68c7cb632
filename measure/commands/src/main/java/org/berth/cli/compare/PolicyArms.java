package org.berth.cli.compare;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.jobkit.HdfsArm;
import org.berth.observation.Expectation;

/** The arms of a job whose DataNodes place their threads: Hadoop without Berth, and Berth's policies. */
final class PolicyArms {
    static final String DEFAULT = "stock,node,interrupt";

    private static final List<String> KNOWN =
            Stream.of(HdfsArm.values()).map(HdfsArm::toString).toList();
    private static final String OPTION = "--policy";

    private PolicyArms() {}

    /** Parses "stock,interrupt"; each name counts once. Other names, or a single one, are usage errors. */
    static List<String> parse(String list, boolean oneIsEnough) {
        List<String> policies = List.of(list.split(",", -1)).stream()
                .map(String::strip)
                .map(HdfsArm::canonical)
                .distinct()
                .toList();
        policies.stream().filter(name -> !KNOWN.contains(name)).findFirst().ifPresent(name -> {
            throw CommandException.usage(
                    "--policies '" + name + "': choose from " + String.join(", ", KNOWN) + ", separated by commas");
        });
        if (policies.size() < 2 && !oneIsEnough) {
            throw CommandException.usage("--policies " + list + ": give at least two; the first one is the baseline");
        }
        return policies;
    }

    /** A usage error when a policy is also an option of the job. */
    static void check(List<String> options) {
        if (options.contains(OPTION)) {
            throw CommandException.usage(OPTION + " after --: the policies are the arms; give --policies LIST");
        }
    }

    static Experiment experiment(JobRun run, List<String> policies, int rounds) {
        List<Arm> arms = policies.stream().map(policy -> arm(run, policy)).toList();
        return Experiment.of(run.job().name(), arms)
                .withRounds(rounds)
                .withMetrics(run.job().metrics(run.options()))
                .withWorkers(run.job().workers());
    }

    private static Arm arm(JobRun run, String policy) {
        List<String> command = run.command(List.of());
        command.addAll(List.of(OPTION, policy));
        return new Arm(policy, command, Map.of(), Expectation.none());
    }
}
