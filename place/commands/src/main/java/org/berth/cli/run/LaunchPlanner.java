package org.berth.cli.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.berth.binding.internal.launch.AgentOptions;
import org.berth.binding.internal.launch.LaunchWords;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.cli.shared.launch.CommandLookup;
import org.berth.observation.internal.process.CallerEnvironment;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * Turns a plan into the command line that binds one process.
 *
 * <p>The small helper {@code berth-exec} binds itself and becomes the command. A {@code java} launcher also gets the
 * agent,
 * whose option the helper obeys, so that the JVM has its CPUs before it sizes its heap and threads, and starts once.
 * The
 * JVMs among the children of another program inherit the binding, and get the agent through JAVA_TOOL_OPTIONS when
 * single threads have slots too.
 *
 * @param agent libberth.so, extracted only when needed
 * @param helper berth-exec, likewise
 * @param javaToolOptions the value of the user's environment, or ""
 * @param allWorkers whether the process holds all workers of the plan; otherwise it is worker 0
 * @param threadOptions the agent's options for single threads, in addition to the rules of the plan
 */
public record LaunchPlanner(
        Supplier<Path> agent,
        Supplier<Path> helper,
        String javaToolOptions,
        boolean allWorkers,
        AgentOptions threadOptions) {
    private static final String TOOL_OPTIONS = "JAVA_TOOL_OPTIONS";

    /** Plans a process that is worker 0, in the environment of this one. */
    static LaunchPlanner ofOneWorker(AgentOptions threadOptions) {
        return ofEnvironment(false, threadOptions);
    }

    /** Plans a process that holds all workers, in the environment of this one. */
    public static LaunchPlanner ofAllWorkers() {
        return ofEnvironment(true, AgentOptions.none());
    }

    private static LaunchPlanner ofEnvironment(boolean allWorkers, AgentOptions threadOptions) {
        return new LaunchPlanner(
                NativeLibrary::file,
                NativeLibrary::launcher,
                CallerEnvironment.variables().getOrDefault(TOOL_OPTIONS, ""),
                allWorkers,
                threadOptions);
    }

    /** How a command is bound. */
    public enum Means {
        AGENT,
        EXEC,
        /** The plan asks for nothing that the command would not have anyway. */
        NOTHING
    }

    /**
     * How a command is bound by a plan.
     *
     * @param allowed CPUs that the command would have without any plan
     */
    public Means meansFor(PlacementPlan plan, CpuSet allowed, boolean javaLauncher) {
        boolean unbound = plan.level() == AffinityLevel.NONE
                && plan.memory() == MemoryMode.LOCAL
                && !hasThreadSlots(plan)
                && cpus(plan).equals(allowed);
        if (unbound) {
            return Means.NOTHING;
        }
        return javaLauncher ? Means.AGENT : Means.EXEC;
    }

    /**
     * The command line that binds a command by a plan.
     *
     * @param planFile writes the plan where the agent can read it; only called when needed
     */
    public Launch launch(PlacementPlan plan, Means means, List<String> command, Supplier<Path> planFile) {
        return switch (means) {
            case NOTHING -> new Launch(Map.of(), List.of(), command);
            case AGENT -> launchJvm(agentWord(plan, planFile), command);
            case EXEC -> new Launch(toolOptions(plan, command, planFile), helperWords(plan), command);
        };
    }

    /** A domain: for a JVM by the agent, for any other program by the helper. */
    Launch launchInDomain(DomainRun run, boolean javaLauncher, List<String> command) {
        if (javaLauncher) {
            AgentOptions options = AgentOptions.ofDomain(run.domain());
            // Whether an inherited policy is given up is for berth-exec.
            options = run.nodes().isPresent() || run.memory() == MemoryMode.LOCAL
                    ? options.withMemory(run.memory(), run.nodes().orElseGet(NodeSet::empty))
                    : options.withMemory(run.memory());
            return launchJvm(options.and(threadOptions).strict().jvmOption(agent.get()), command);
        }
        // JVMs among the children inherit the CPUs; their threads are left for the agent.
        LaunchWords words = LaunchWords.of(helper.get()).withDomain(run.domain());
        words = run.nodes().isPresent()
                ? words.withMemory(run.memory(), run.nodes().get())
                : words.withMemory(run.memory());
        return new Launch(
                threadOptions.isEmpty() ? Map.of() : toolOptions(command, threadOptions), words.words(), command);
    }

    private Launch launchJvm(String agentWord, List<String> command) {
        List<String> front = LaunchWords.of(helper.get()).withAgent().before(List.of(command.get(0), agentWord));
        return new Launch(Map.of(), front, command.subList(1, command.size()));
    }

    /**
     * Whether the agent binds a command.
     *
     * @param needed whether it has thread rules or a policy for the heap, for which the agent is needed
     */
    static boolean isForAgent(boolean javaLauncher, List<String> command, boolean needed) {
        return javaLauncher
                && ArchiveFlag.find(command, CallerEnvironment.variables())
                        .map(flag -> flag.leaves(needed))
                        .orElse(true);
    }

    boolean hasThreadSlots(PlacementPlan plan) {
        return !plan.rules().isEmpty() || !threadOptions.isEmpty();
    }

    /** The option of {@code java} that binds. */
    public String agentWord(PlacementPlan plan, Supplier<Path> planFile) {
        AgentOptions options = hasThreadSlots(plan)
                ? threadOptions(planFile)
                : AgentOptions.ofCpus(cpus(plan)).withMemory(plan.memory(), nodes(plan));
        return options.strict().jvmOption(agent.get());
    }

    private AgentOptions threadOptions(Supplier<Path> planFile) {
        AgentOptions plan = AgentOptions.ofPlan(planFile.get());
        return (allWorkers ? plan : plan.withWorker(0)).and(threadOptions);
    }

    private Map<String, String> toolOptions(PlacementPlan plan, List<String> command, Supplier<Path> planFile) {
        return hasThreadSlots(plan) ? toolOptions(command, threadOptions(planFile)) : Map.of();
    }

    /** Not strict: a child JVM that cannot be bound is no reason to break the command that started it. */
    private Map<String, String> toolOptions(List<String> command, AgentOptions options) {
        CommandLookup.requireTakesAgent(command.get(0));
        String option = options.toolOption(agent.get());
        return Map.of(TOOL_OPTIONS, javaToolOptions.isBlank() ? option : javaToolOptions + " " + option);
    }

    private List<String> helperWords(PlacementPlan plan) {
        return LaunchWords.of(helper.get())
                .withCpus(cpus(plan))
                .withMemory(plan.memory(), nodes(plan))
                .words();
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
}
