package org.berth.cli.run;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.cli.shared.CommonOptions;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import org.berth.cli.shared.launch.CommandLookup;
import org.berth.cli.shared.launch.ElfInterpreter;
import org.berth.cli.shared.launch.InheritedPolicy;
import org.berth.observation.internal.process.CallerEnvironment;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementPlan;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth run}: starts a command, bound; {@link Launch} explains why no process of Berth stays. */
@CommonOptions({
    "--domain",
    "--cpus",
    "--near",
    "-N",
    "-m",
    "--memory",
    "--level",
    "--threads",
    "--rule",
    "--preset",
    "--heap-memory",
    "--dry-run",
    "--quiet"
})
@Command(
        name = "run",
        synopsisHeading = "Usage: ",
        description = {
            "Start a command, bound to a part of the machine.",
            "A JVM is bound before its heap and threads exist, including collector and compiler threads. Berth replaces"
                    + " itself by the command, so PID, standard input, signals and exit code are the command's own."
        },
        footer = {
            "",
            "berth run --domain numa --memory bind -- java -jar app.jar",
            "berth run --cpus +0-1 -- ./server.sh",
            "berth run --domain core:1 --rule 'worker-*' -- java -jar app.jar",
            "berth run -N 0 -m 0 -- java -jar app.jar"
        })
public final class RunCommand implements Callable<Integer>, OptionRules {
    @Mixin
    private RunOptions options = new RunOptions();

    @Option(
            names = {"-n", "--dry-run"},
            description = "Print the final command line for a shell, and start nothing.")
    private boolean dryRun;

    @Option(
            names = {"-q", "--quiet"},
            description = "Do not report the chosen CPUs on standard error.")
    private boolean quiet;

    @Parameters(arity = "1..*", paramLabel = "-- COMMAND", description = "The command and its arguments.")
    private List<String> command = new ArrayList<>();

    private final Terminal terminal;

    public RunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return RunOptions.RULES;
    }

    @Override
    public Integer call() {
        RunRequest request = options.request();
        Path program = program();
        boolean javaLauncher = CommandLookup.isJavaLauncher(program);
        if (!quiet && ElfInterpreter.isMusl(program)) {
            terminal.err()
                    .println("berth: note: " + program
                            + " is for musl, and Berth's agent needs glibc: berth-exec binds the"
                            + " process as a whole");
        }
        return request instanceof DomainRun run ? start(run, javaLauncher) : start((PlannedRun) request, javaLauncher);
    }

    private int start(PlannedRun run, boolean javaLauncher) {
        Topology topology = TargetMachine.live().topology();
        PlannedRun.Ready ready = run.ready(topology, javaLauncher, command, RunCommand::writePlan);
        if (javaLauncher) {
            warn(ready.plan().memory(), ready.plan().workerNodes(0));
        }
        options.noteOnLease(run).ifPresent(note -> terminal.err().println("berth: note: " + note));
        run.noteOnRules(ready.plan()).ifPresent(note -> terminal.err().println("berth: note: " + note));
        if (!javaLauncher && run.hasRules()) {
            terminal.err()
                    .println("berth: note: '" + command.get(0) + "' is no JVM: the rules hold in JVMs that it starts");
        }
        if (dryRun) {
            describe(run, ready, topology.allowedCpuSet());
            terminal.out().println(ready.launch().toShellLine());
            return 0;
        }
        ready.launch().handOver();
        warn(ready.launch());
        if (!quiet) {
            describe(run, ready, topology.allowedCpuSet());
        }
        return 0;
    }

    private void warn(MemoryMode memory, NodeSet nodes) {
        HugePageCheck.of(command, CallerEnvironment.variables())
                .warning(memory, nodes)
                .ifPresent(warning -> terminal.err().println("berth: " + warning));
    }

    private int start(DomainRun run, boolean javaLauncher) {
        if (javaLauncher) {
            // Which node it gets is known when it starts: all together must have enough.
            warn(run.memory(), TargetMachine.live().topology().nodeSet());
        }
        Launch bound = run.launch(javaLauncher, command);
        // berth-exec prints the domain that it got.
        Launch launch = quiet ? bound.silent() : bound;
        if (dryRun) {
            terminal.out().println(launch.toShellLine());
            return 0;
        }
        launch.handOver();
        warn(launch);
        if (!quiet && launch.front().contains("--agent")) {
            terminal.err().println("berth: " + run.words() + ", agent; 'berth leases' shows which one");
            InheritedPolicy.note(terminal, run.memory(), run.defaultPolicy());
        }
        return 0;
    }

    private Path program() {
        return CommandLookup.find(command.get(0), System.getenv().getOrDefault("PATH", ""));
    }

    /** Writes the plan file even for --dry-run, because the printed command refers to it. */
    private static Path writePlan(PlacementPlan plan) {
        return PlanFiles.ofUser().write(plan.toText(), Instant.now());
    }

    /**
     * JVMs that the command starts later find the agent by JAVA_TOOL_OPTIONS, and do not start when its file is gone.
     */
    private void warn(Launch launch) {
        if (quiet || launch.environment().isEmpty()) {
            return;
        }
        Path library = NativeLibrary.file();
        if ("root".equals(System.getProperty("user.name")) && !NativeLibrary.isReadableByAll(library)) {
            terminal.err()
                    .println("berth: note: only root can read the agent's library " + library
                            + ": a JVM that the command starts as another user fails; set XDG_DATA_HOME to a directory that all"
                            + " users can read");
        }
        if (NativeLibrary.isTemporary(library)) {
            terminal.err()
                    .println("berth: note: the agent's library is " + library
                            + ": when that is cleaned up, a JVM that the"
                            + " command starts later fails; set XDG_DATA_HOME to a directory that stays");
        }
    }

    private void describe(PlannedRun run, PlannedRun.Ready ready, CpuSet allowed) {
        PlacementPlan plan = ready.plan();
        terminal.err().println("berth: " + run.words() + ": " + summary(plan, ready.means(), allowed));
        InheritedPolicy.note(terminal, plan.memory(), run.placement().memory().isDefaultPolicy());
        plan.notes().forEach(note -> terminal.err().println("berth: note: " + note));
    }

    /** "CPUs 0 (1 of 2 allowed), memory local, agent". */
    static String summary(PlacementPlan plan, LaunchPlanner.Means means, CpuSet allowed) {
        CpuSet cpus = plan.workerCpus(0);
        String nodes = plan.memory() == MemoryMode.LOCAL ? "" : " on nodes " + plan.workerNodes(0);
        return "CPUs " + cpus + " (" + cpus.size() + " of "
                + allowed.size() + " allowed), memory " + plan.memory().word() + nodes + ", "
                + (means == LaunchPlanner.Means.NOTHING ? "not bound" : Words.of(means));
    }
}
