package org.berth.cli.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.cli.run.Launch;
import org.berth.cli.shared.OwnName;
import org.berth.cli.split.SplitPlan;
import org.berth.experiments.Arm;
import org.berth.observation.internal.process.CallerEnvironment;
import org.berth.observation.internal.threads.Expectation;
import org.berth.text.ShellWord;
import org.berth.topology.CpuSet;

/**
 * A candidate of one or more processes of a command, as {@code berth split} starts them.
 *
 * @param words options of {@code berth split} that give the same
 * @param command with placeholders
 * @param javaLauncher whether it is a JDK's or JRE's own {@code java}, which takes the flags as words
 * @param flags options of its JVMs
 */
record SplitCandidate(
        String name,
        TuneShape form,
        SplitPlan plan,
        List<String> words,
        List<String> command,
        boolean javaLauncher,
        List<String> flags)
        implements TuneCandidate {
    private static final String TOOL_OPTIONS = "JAVA_TOOL_OPTIONS";

    @Override
    public String options() {
        return Stream.concat(words.stream(), flags.stream()).collect(Collectors.joining(" "));
    }

    @Override
    public Optional<CpuSet> cpus() {
        return Optional.of(form.cpus());
    }

    @Override
    public Optional<TuneShape> shape() {
        return Optional.of(form);
    }

    /** Without a supervisor, whose own start would count as a part of each run. */
    @Override
    public Arm arm(Start start) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < plan.size(); i++) {
            Launch launch = plan.launch(i, template(), javaLauncher);
            List<String> all = new ArrayList<>(List.of("env"));
            new TreeMap<>(launch.environment()).forEach((key, value) -> all.add(key + "=" + value));
            all.addAll(launch.words());
            lines.add(quoted(all));
        }
        boolean alone = !form.bound() && plan.size() == 1;
        Arm.Binding binding = form.bound() ? Arm.Binding.BOUND : alone ? Arm.Binding.UNBOUND : Arm.Binding.UNKNOWN;
        return new Arm(name, ProcessScript.of(lines), environment(), Expectation.none())
                .withBinding(binding)
                .withProcesses(plan.size());
    }

    private List<String> template() {
        List<String> all = new ArrayList<>(command);
        if (javaLauncher) {
            all.addAll(1, flags);
        }
        return all;
    }

    /** The JVMs that another program starts find their options here. */
    private Map<String, String> environment() {
        if (flags.isEmpty() || javaLauncher) {
            return Map.of();
        }
        String own = CallerEnvironment.variables().getOrDefault(TOOL_OPTIONS, "");
        return Map.of(TOOL_OPTIONS, (own + " " + String.join(" ", flags)).strip());
    }

    @Override
    public String line() {
        List<String> all = new ArrayList<>(List.of("split"));
        all.addAll(words);
        all.add("--");
        Map<String, String> variables = environment();
        if (!variables.isEmpty()) {
            all.add("env");
            variables.forEach((key, value) -> all.add(key + "=" + value));
        }
        all.addAll(template());
        return OwnName.word() + " " + quoted(all);
    }

    private static String quoted(List<String> words) {
        return ShellWord.line(words);
    }
}
