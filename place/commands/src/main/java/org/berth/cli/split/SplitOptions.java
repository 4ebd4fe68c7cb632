package org.berth.cli.split;

import java.util.List;
import java.util.Optional;
import org.berth.binding.internal.launch.AgentOptions;
import org.berth.cli.run.LeasesFolder;
import org.berth.cli.run.RunOptions;
import org.berth.cli.run.ThreadChoice;
import org.berth.cli.run.ThreadOptions;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.KernelLists;
import org.berth.cli.shared.arguments.MemoryArgument;
import org.berth.placement.MemoryMode;
import org.berth.placement.internal.shape.Division;
import org.berth.placement.internal.shape.HostShape;
import org.berth.placement.internal.shape.ShapePart;
import org.berth.placement.internal.shape.ShapeRequest;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code split} that define the parts of the host and how a process is bound to its part. */
final class SplitOptions {
    @Mixin
    private PartsOptions parts = new PartsOptions();

    @Option(names = "--cpus", paramLabel = "LIST", description = "Only these CPUs, for example 0-15.")
    private Optional<String> cpus = Optional.empty();

    @Option(
            names = "--heap",
            paramLabel = "SIZE|PERCENT",
            description =
                    "Total heap of all processes, such as 96g, or a percentage of each part's memory (default 50%%);"
                            + " {heap} in the command is each process's share.")
    private Optional<String> heap = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "MODE[:NODES]|tier:KIND",
            description =
                    "Where new pages of a process go, in the words of 'run', over the nodes of its part; default: local, near"
                            + " the CPU that touches a page first. tier:KIND binds to the nodes of a memory tier near the part,"
                            + " and MODE:tier:KIND uses them in another way.")
    private Optional<String> memory = Optional.empty();

    @Option(
            names = "--unbound",
            description = "Bind nothing: the kernel places the processes, which still get their numbers and heaps.")
    private boolean unbound;

    @Option(
            names = "--exclusive",
            description = "Fail if another process holds a lease on these CPUs, and reserve them.")
    private boolean exclusive;

    @Option(names = "--leases", paramLabel = "DIR", description = LeasesFolder.DESCRIPTION)
    private Optional<String> leases = Optional.empty();

    @Option(
            names = "--name",
            paramLabel = "TEXT",
            description = "Name of the processes in 'berth leases', before their index; default: the command's.")
    private Optional<String> name = Optional.empty();

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description = "How tight the place of each thread is that rules name: pu (the default) or core.")
    private Optional<String> level = Optional.empty();

    @Mixin
    private ThreadOptions threads = new ThreadOptions();

    /** Cuts a machine into parts; a part that the machine does not have is a usage error. */
    HostShape shape(TargetMachine machine) {
        KernelLists.requireNoRelative(
                cpus, Optional.of(machine.source()).filter(source -> machine.origin() != TargetMachine.Origin.LIVE));
        Optional<CpuSet> within =
                cpus.map(Arguments::cpus).map(list -> Arguments.allowedCpus(list, machine.topology()));
        Division division = parts.division(machine.topology(), within)
                .orElseThrow(
                        () -> CommandException.usage("what does each process get? Give --domain numa, package, l3 or"
                                + " core:K, or --into N for N parts of nearly equal size"));
        ShapeRequest request = SplitRequest.of(machine, division, within, heap);
        return HostShape.of(
                machine.topology(),
                memory().map(chosen -> request.withMemory(chosen.place(machine.topology())))
                        .orElse(request));
    }

    private Optional<MemoryArgument> memory() {
        return memory.map(MemoryArgument::parse);
    }

    /** How the processes are bound to the parts of this machine. */
    SplitPlan plan(HostShape shape, Topology topology, String program) {
        MemoryMode mode =
                unbound ? MemoryMode.LOCAL : memory().map(MemoryArgument::mode).orElse(MemoryMode.LOCAL);
        ThreadChoice choice = RunOptions.slots(threads.choice(), level.map(Arguments::level));
        for (ShapePart part : shape.parts()) {
            choice.require(part.cpus().size(), part.cpus());
        }
        List<AgentOptions> threadOptions = shape.parts().stream()
                .map(part -> choice.options(topology, part.cpus()))
                .toList();
        LeasesFolder.requireShort(name);
        if (leases.isEmpty() && !unbound) {
            LeasesFolder.requireAbsolute();
        }
        try {
            boolean defaultPolicy =
                    memory().map(MemoryArgument::isDefaultPolicy).orElse(false);
            return new SplitPlan(
                    shape, !unbound, mode, defaultPolicy, exclusive, leases, name.orElse(program), threadOptions);
        } catch (IllegalArgumentException e) {
            throw CommandException.usage("--" + e.getMessage());
        }
    }
}
