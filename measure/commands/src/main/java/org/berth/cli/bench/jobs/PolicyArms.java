package org.berth.cli.bench.jobs;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.berth.cli.shared.arguments.WordList;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.jobkit.HdfsArm;
import org.berth.observation.internal.threads.Expectation;

/** The arms of a job whose DataNodes place their threads: Hadoop without Berth, and Berth's policies. */
public final class PolicyArms {
    public static final String DEFAULT = "stock,node,interrupt";

    private static final List<String> KNOWN =
            Stream.of(HdfsArm.values()).map(HdfsArm::toString).toList();
    private static final String OPTION = "--policy";

    public static final ArmWords<String> WORDS = new ArmWords<>("--policies", List.of(OPTION), "", PolicyArms::policy);

    private PolicyArms() {}

    private static String policy(String word) {
        return WordList.named("--policies", HdfsArm.canonical(word), KNOWN, Function.identity());
    }

    public static Experiment experiment(JobRun run, List<String> policies, int rounds) {
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
