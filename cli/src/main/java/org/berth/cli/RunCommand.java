package org.berth.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.berth.binding.NativeLibrary;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementPlan;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth run}: starts a command in its place; see {@link Launch} for how no process of ours stays. */
@Command(
        name = "run",
        synopsisHeading = "Usage: ",
        description = {
            "Start a command in its place on the machine.",
            "A JVM is bound before it exists, collector and compiler threads included. PID, standard input,"
                    + " signals and exit code are those of the command itself."
        })
final class RunCommand implements Callable<Integer> {
    private static final int ONE_WORKER = 1;

    @Mixin
    private PlacementOptions placement = new PlacementOptions();

    @Mixin
    private DomainOptions domain = new DomainOptions();

    @Mixin
    private ThreadOptions threadPlaces = new ThreadOptions();

    @Option(
            names = "--threads",
            paramLabel = "T",
            defaultValue = "1",
            description = "How many cores (level core), logical CPUs (level pu) or places of a policy the command gets;"
                    + " default 1.")
    private int threads = 1;

    @Option(names = "--dry-run", description = "Print what would be started, and start nothing.")
    private boolean dryRun;

    @Option(names = "--quiet", description = "Do not say on standard error where the command runs.")
    private boolean quiet;

    @Parameters(arity = "1..*", paramLabel = "-- COMMAND", description = "The command and its arguments.")
    private List<String> command = new ArrayList<>();

    private final Terminal terminal;

    RunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        boolean leased = domain.isGiven();
        threadPlaces.check(leased);
        if (leased) {
            return runInDomain();
        }
        placement.check();
        Topology topology = TargetMachine.live().topology();
        PlacementPlan plan = plan(topology);
        Path program = program();
        LaunchPlanner planner = planner(threadPlaces.words());
        LaunchPlanner.Means means =
                planner.meansFor(plan, topology.allowedCpuSet(), CommandLookup.isJavaLauncher(program));
        Launch launch = planner.launch(plan, means, command, () -> writePlan(plan));
        if (dryRun) {
            describe(plan, means, topology.allowedCpuSet());
            terminal.out().println(launch.toShellLine());
            return 0;
        }
        handOver(launch);
        if (!quiet) {
            describe(plan, means, topology.allowedCpuSet());
        }
        return 0;
    }

    /** The machine is not looked at: the agent or the helper does that when the command starts. */
    private int runInDomain() {
        placement.requireNoPlace();
        if (threads != 1) {
            throw CommandException.usage(
                    "--threads is for --level and --policy; --domain core:" + threads + " gives that many cores");
        }
        String memory = Arguments.lower(placement.memory());
        List<String> words = new ArrayList<>(placement.ruleWords());
        if (!threadPlaces.isEmpty()) {
            words.add(threadPlaces.words());
        }
        boolean javaLauncher = CommandLookup.isJavaLauncher(program());
        Launch launch = planner(String.join(",", words)).launchInDomain(domain, memory, javaLauncher, command);
        if (dryRun) {
            terminal.out().println(launch.toShellLine());
            return 0;
        }
        handOver(launch);
        // The helper tells by itself which one it got.
        if (!quiet && javaLauncher) {
            terminal.err()
                    .println("berth: domain " + domain.describe() + ", memory " + memory
                            + ", agent; 'berth leases' shows which one");
        }
        return 0;
    }

    private Path program() {
        return CommandLookup.find(command.get(0), System.getenv().getOrDefault("PATH", ""));
    }

    private static LaunchPlanner planner(String threadWords) {
        return new LaunchPlanner(
                NativeLibrary::file,
                NativeLibrary::launcher,
                System.getenv().getOrDefault("JAVA_TOOL_OPTIONS", ""),
                false,
                threadWords);
    }

    private PlacementPlan plan(Topology topology) {
        if (threads < 1) {
            throw CommandException.usage("--threads " + threads + ": a command needs at least one thread");
        }
        return placement.planner().plan(topology, placement.request(topology, ONE_WORKER, threads));
    }

    private Path writePlan(PlacementPlan plan) {
        if (dryRun) {
            return Path.of("PLAN");
        }
        PlanFiles files = PlanFiles.temporary();
        files.removeOld(Instant.now());
        long pid = ProcessHandle.current()
                .parent()
                .map(ProcessHandle::pid)
                .orElse(ProcessHandle.current().pid());
        return files.write(plan.toText(), pid);
    }

    private static void handOver(Launch launch) {
        String file = System.getenv().getOrDefault(Launch.FILE_VARIABLE, "");
        if (file.isEmpty()) {
            throw CommandException.failure("cannot become the command: Java has no exec, the 'berth' script does that"
                    + " part; start 'berth run', or give --dry-run to see what it would start");
        }
        try {
            Files.write(Path.of(file), launch.toBytes());
        } catch (IOException e) {
            throw CommandException.failure("cannot write the launch to " + file + ": " + Reasons.of(e), e);
        }
    }

    private void describe(PlacementPlan plan, LaunchPlanner.Means means, CpuSet allowed) {
        String binding = placement.device().map(DeviceChoice::words).orElse(Arguments.lower(plan.level()));
        terminal.err().println("berth: " + binding + ": " + summary(plan, means, allowed));
        plan.notes().forEach(note -> terminal.err().println("berth: note: " + note));
    }

    /** "CPUs 0 (1 of 2 allowed), memory local, agent". */
    static String summary(PlacementPlan plan, LaunchPlanner.Means means, CpuSet allowed) {
        CpuSet cpus = plan.workerCpus(0);
        String nodes = plan.memory() == MemoryMode.LOCAL ? "" : " on nodes " + plan.workerNodes(0);
        return "CPUs " + cpus + " (" + cpus.size() + " of "
                + allowed.size() + " allowed), memory " + Arguments.lower(plan.memory()) + nodes + ", "
                + (means == LaunchPlanner.Means.NOTHING ? "not bound" : Arguments.lower(means));
    }
}
