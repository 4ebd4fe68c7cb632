package org.berth.cli.tune;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.cli.compare.arms.CommandArms;
import org.berth.cli.compare.arms.UserArm;
import org.berth.cli.run.PlannedRun;
import org.berth.cli.shared.OwnName;
import org.berth.cli.split.SplitPlan;
import org.berth.experiments.Arm;
import org.berth.text.ShellWord;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * A candidate of one process with options of {@code berth run}.
 *
 * @param arm its name and options
 * @param cpus CPUs that the command gets; empty when a lease chooses them
 * @param command as the user wrote it, with {@link #COUNT} or, when shapes race, with the placeholders of {@code berth split}
 * @param whole the machine as the only part, when shapes race
 */
record RunCandidate(UserArm arm, Optional<CpuSet> cpus, List<String> command, Optional<SplitPlan> whole)
        implements TuneCandidate {
    /** Stands in a command for the number of CPUs that it gets. */
    static final String COUNT = "{cpucount}";

    static RunCandidate of(UserArm arm, Topology topology, List<String> command, Optional<SplitPlan> whole) {
        return new RunCandidate(
                arm,
                arm.run() instanceof PlannedRun run
                        ? Optional.of(run.plan(topology).workerCpus(0))
                        : Optional.empty(),
                command,
                whole);
    }

    @Override
    public String name() {
        return arm.name();
    }

    @Override
    public String options() {
        return words(List.of()).collect(Collectors.joining(" "));
    }

    /** The command as this candidate runs it; the number of CPUs of a lease is not known. */
    private List<String> words() {
        if (whole.isPresent()) {
            return whole.get().command(0, command);
        }
        return cpus.isEmpty()
                ? command
                : command.stream()
                        .map(word ->
                                word.replace(COUNT, Integer.toString(cpus.get().size())))
                        .toList();
    }

    @Override
    public Arm arm(Start start) {
        CommandArms one = new CommandArms(start.topology(), words(), start.javaLauncher(), start.planFile());
        one.add(arm);
        return one.arms().get(0);
    }

    @Override
    public String line() {
        String settings = arm.kernel().stream()
                .map(one -> "echo " + one.value() + " > " + one.setting() + " && ")
                .collect(Collectors.joining());
        return settings + words(List.of(OwnName.word(), "run")).collect(Collectors.joining(" ")) + " -- "
                + ShellWord.line(words());
    }

    private Stream<String> words(List<String> program) {
        Map<String, String> settings = new TreeMap<>(arm.environment());
        return Stream.concat(
                settings.entrySet().stream().map(one -> one.getKey() + "=" + ShellWord.quote(one.getValue())),
                Stream.concat(program.stream(), arm.words().stream().map(ShellWord::quote)));
    }
}
