package org.berth.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.berth.drawing.text.Labels;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * Turns a plan into the words that make it so for one process.
 *
 * <p>A {@code java} launcher gets the agent: the JVM then sees its place before it sizes its heap and threads. Any
 * other program is started by the small helper {@code berth-exec}; the JVMs among its children inherit the place and
 * get the agent through JAVA_TOOL_OPTIONS when single threads have places too.
 *
 * @param agent libberth.so, asked for only when needed
 * @param helper berth-exec, likewise
 * @param javaToolOptions value that the user's environment already has, or ""
 * @param allWorkers whether the process holds all workers of the plan, else it is worker 0
 * @param threadWords the agent's options for places of single threads, beside the rules of the plan; may be empty
 */
public record LaunchPlanner(
        Supplier<Path> agent, Supplier<Path> helper, String javaToolOptions, boolean allWorkers, String threadWords) {
    private static final String TOOL_OPTIONS = "JAVA_TOOL_OPTIONS";

    public LaunchPlanner(Supplier<Path> agent, Supplier<Path> helper, String javaToolOptions, boolean allWorkers) {
        this(agent, helper, javaToolOptions, allWorkers, "");
    }

    /** How a command is bound. */
    public enum Means {
        AGENT,
        EXEC,
        /** The plan asks for nothing that the command would not have anyway. */
        NOTHING
    }

    /** @param allowed CPUs that the command would have without any plan */
    public Means meansFor(PlacementPlan plan, CpuSet allowed, boolean javaLauncher) {
        boolean unbound = plan.level() == AffinityLevel.NONE
                && plan.memory() == MemoryMode.LOCAL
                && !hasThreadPlaces(plan)
                && cpus(plan).equals(allowed);
        if (unbound) {
            return Means.NOTHING;
        }
        return javaLauncher ? Means.AGENT : Means.EXEC;
    }

    /** @param planFile writes the plan where the agent can read it; only called when needed */
    public Launch launch(PlacementPlan plan, Means means, List<String> command, Supplier<Path> planFile) {
        return switch (means) {
            case NOTHING -> new Launch(Map.of(), List.of(), command);
            case AGENT ->
                new Launch(
                        Map.of(),
                        List.of(command.get(0), agentWord(plan, planFile)),
                        command.subList(1, command.size()));
            case EXEC -> new Launch(toolOptions(plan, planFile), helperWords(plan), command);
        };
    }

    /**
     * A part of the machine that a lease finds: for a JVM by the agent, for any other program by the helper.
     *
     * @param memory the memory mode's word
     */
    Launch launchInDomain(DomainOptions domain, String memory, boolean javaLauncher, List<String> command) {
        if (javaLauncher) {
            String options = domain.agentWords() + ",memory=" + memory + more() + ",strict";
            return new Launch(
                    Map.of(),
                    List.of(command.get(0), "-agentpath:" + agent.get() + "=" + options),
                    command.subList(1, command.size()));
        }
        List<String> words = new ArrayList<>(List.of(helper.get().toString()));
        words.addAll(domain.helperWords());
        words.addAll(List.of("--memory", memory, "--"));
        // The CPUs are inherited; what is left for the JVMs among the children are their threads.
        Map<String, String> environment = threadWords.isEmpty() ? Map.of() : toolOptions(threadWords);
        return new Launch(environment, words, command);
    }

    private boolean hasThreadPlaces(PlacementPlan plan) {
        return !plan.rules().isEmpty() || !threadWords.isEmpty();
    }

    private String more() {
        return threadWords.isEmpty() ? "" : "," + threadWords;
    }

    /** The option of {@code java} that binds. */
    public String agentWord(PlacementPlan plan, Supplier<Path> planFile) {
        return "-agentpath:" + agent.get() + "=" + agentOptions(plan, planFile);
    }

    private String agentOptions(PlacementPlan plan, Supplier<Path> planFile) {
        if (hasThreadPlaces(plan)) {
            return "plan=" + planFile.get() + worker() + more() + ",strict";
        }
        String nodes = plan.memory() == MemoryMode.LOCAL ? "" : ",nodes=" + nodes(plan);
        return "cpus=" + cpus(plan) + nodes + ",memory=" + Labels.lower(plan.memory()) + ",strict";
    }

    private Map<String, String> toolOptions(PlacementPlan plan, Supplier<Path> planFile) {
        return hasThreadPlaces(plan) ? toolOptions("plan=" + planFile.get() + worker() + more()) : Map.of();
    }

    private Map<String, String> toolOptions(String options) {
        // Not strict: a child JVM that cannot be bound is no reason to break the command that started it.
        String option = "-agentpath:" + agent.get() + "=" + options;
        String quoted = option.indexOf(' ') < 0 ? option : '"' + option + '"';
        return Map.of(TOOL_OPTIONS, javaToolOptions.isBlank() ? quoted : javaToolOptions + " " + quoted);
    }

    private List<String> helperWords(PlacementPlan plan) {
        List<String> words = new ArrayList<>(
                List.of(helper.get().toString(), "--cpus", cpus(plan).toString()));
        if (plan.memory() != MemoryMode.LOCAL) {
            words.addAll(List.of("--nodes", nodes(plan).toString(), "--memory", Labels.lower(plan.memory())));
        }
        words.add("--");
        return words;
    }

    /** CPUs of the whole process. */
    CpuSet cpus(PlacementPlan plan) {
        return allWorkers ? plan.cpus() : plan.workerCpus(0);
    }

    private NodeSet nodes(PlacementPlan plan) {
        return allWorkers
                ? plan.slots().stream().map(Slot::memoryNodes).reduce(NodeSet.empty(), NodeSet::union)
                : plan.workerNodes(0);
    }

    private String worker() {
        return allWorkers ? "" : ",worker=0";
    }
}
