package org.berth.cli.tune;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.cli.compare.UserArm;
import org.berth.drawing.text.ShellWord;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * One way to run a command.
 *
 * @param arm its name, and the options of {@code berth run} that make it
 * @param cpus that the command gets; empty where only a lease finds them
 */
record TuneCandidate(UserArm arm, Optional<CpuSet> cpus) {
    /** In a command, stands for the number of CPUs that it gets. */
    static final String CPUS = "{cpus}";

    static TuneCandidate of(UserArm arm, Topology topology) {
        return new TuneCandidate(
                arm,
                arm.options().leased()
                        ? Optional.empty()
                        : Optional.of(arm.options().plan(topology).workerCpus(0)));
    }

    String name() {
        return arm.name();
    }

    /** "--level core --threads 2", for people; settings of the environment before them. */
    String options() {
        return words(List.of()).collect(Collectors.joining(" "));
    }

    /** The command as this candidate runs it; of a lease, the number of CPUs is not known. */
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
        return words(List.of("berth", "run")).collect(Collectors.joining(" ")) + " -- "
                + command(command).stream().map(ShellWord::quote).collect(Collectors.joining(" "));
    }

    private Stream<String> words(List<String> program) {
        Map<String, String> settings = new TreeMap<>(arm.environment());
        return Stream.concat(
                settings.entrySet().stream().map(one -> one.getKey() + "=" + ShellWord.quote(one.getValue())),
                Stream.concat(program.stream(), arm.words().stream().map(ShellWord::quote)));
    }
}
