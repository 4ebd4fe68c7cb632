package org.berth.cli.tune;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.cli.compare.UserArm;
import org.berth.cli.run.PlannedRun;
import org.berth.drawing.internal.text.ShellWord;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * A setting that {@code tune} tries.
 *
 * @param arm its name and options of {@code berth run}
 * @param cpus CPUs that the command gets; empty when a lease chooses them
 */
record TuneCandidate(UserArm arm, Optional<CpuSet> cpus) {
    /** Stands in a command for the number of CPUs that it gets. */
    static final String CPUS = "{cpus}";

    static TuneCandidate of(UserArm arm, Topology topology) {
        return new TuneCandidate(
                arm,
                arm.run() instanceof PlannedRun run
                        ? Optional.of(run.plan(topology).workerCpus(0))
                        : Optional.empty());
    }

    String name() {
        return arm.name();
    }

    /** "--level core --threads 2", for people, after settings of the environment. */
    String options() {
        return words(List.of()).collect(Collectors.joining(" "));
    }

    /** The command as this candidate runs it; the number of CPUs of a lease is not known. */
    List<String> command(List<String> command) {
        return cpus.isEmpty()
                ? command
                : command.stream()
                        .map(word ->
                                word.replace(CPUS, Integer.toString(cpus.get().size())))
                        .toList();
    }

    /** One line for a shell that does the same. */
    String line(List<String> command) {
        String settings = arm.kernel().stream()
                .map(one -> "echo " + one.value() + " > " + one.setting() + " && ")
                .collect(Collectors.joining());
        return settings + words(List.of("berth", "run")).collect(Collectors.joining(" ")) + " -- "
                + command(command).stream().map(ShellWord::quote).collect(Collectors.joining(" "));
    }

    private Stream<String> words(List<String> program) {
        Map<String, String> settings = new TreeMap<>(arm.environment());
        return Stream.concat(
                settings.entrySet().stream().map(one -> one.getKey() + "=" + ShellWord.quote(one.getValue())),
                Stream.concat(program.stream(), arm.words().stream().map(ShellWord::quote)));
    }
}
