package org.berth.cli.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.berth.cli.compare.arms.SparkCommand;
import org.berth.experiments.Arm;
import org.berth.observation.internal.threads.Expectation;
import org.berth.text.ShellWord;
import org.berth.topology.CpuSet;

/**
 * A candidate of a Spark application whose executors are the parts of the host.
 *
 * @param settings lines of spark-defaults.conf
 * @param command that starts the driver
 * @param all CPUs of the executors together; with SMT off each core has one task at a time
 */
record SparkCandidate(String name, TuneShape form, Map<String, String> settings, SparkCommand command, CpuSet all)
        implements TuneCandidate {
    @Override
    public String options() {
        return settings.entrySet().stream()
                .map(one -> one.getKey() + "=" + one.getValue())
                .collect(Collectors.joining(" "));
    }

    @Override
    public Optional<CpuSet> cpus() {
        return Optional.of(all);
    }

    @Override
    public Optional<TuneShape> shape() {
        return Optional.of(form);
    }

    @Override
    public Arm arm(Start start) {
        boolean alone = !form.bound() && form.processes() == 1;
        Arm.Binding binding = form.bound() ? Arm.Binding.BOUND : alone ? Arm.Binding.UNBOUND : Arm.Binding.UNKNOWN;
        return new Arm(name, words(), Map.of(), Expectation.none()).withBinding(binding);
    }

    @Override
    public String line() {
        return ShellWord.line(words());
    }

    private List<String> words() {
        return new ArrayList<>(command.with(settings));
    }
}
