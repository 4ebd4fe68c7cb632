package org.berth.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.berth.binding.NativeLibrary;
import org.berth.cli.plan.PlacementOptions;
import org.berth.cli.shared.CommandException;
import org.berth.drawing.text.Labels;
import org.berth.placement.PlacementPlan;
import org.berth.topology.Topology;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where a command goes: the options of {@code run}, which an arm of {@code compare} takes as well. */
public final class RunOptions {
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

    PlacementOptions placement() {
        return placement;
    }

    DomainOptions domain() {
        return domain;
    }

    /** Whether a lease finds the place; what can be wrong without a machine is said. */
    public boolean leased() {
        boolean leased = domain.isGiven();
        threadPlaces.check(leased);
        if (!leased) {
            placement.check();
            if (threads != 1 && !placement.hasLevelOrPolicy()) {
                throw CommandException.usage(
                        "--threads " + threads + " needs --level core or pu, or --policy: without a"
                                + " level the command gets all CPUs that the other options leave");
            }
            return false;
        }
        placement.requireNoPlace();
        if (threads != 1) {
            throw CommandException.usage(
                    "--threads is for --level and --policy; --domain core:" + threads + " gives that many cores");
        }
        return true;
    }

    /** For a command whose place no lease finds. */
    public PlacementPlan plan(Topology topology) {
        if (threads < 1) {
            throw CommandException.usage("--threads " + threads + ": a command needs at least one thread");
        }
        return placement.planner().plan(topology, placement.request(topology, ONE_WORKER, threads));
    }

    /** How the plan binds a command. */
    public LaunchPlanner.Means means(PlacementPlan plan, Topology topology, boolean javaLauncher) {
        return planner(threadPlaces.words()).meansFor(plan, topology.allowedCpuSet(), javaLauncher);
    }

    /** The command, bound by a plan. */
    public Launch launch(
            PlacementPlan plan,
            LaunchPlanner.Means means,
            List<String> command,
            Function<PlacementPlan, Path> planFile) {
        return planner(threadPlaces.words()).launch(plan, means, command, () -> planFile.apply(plan));
    }

    /** The command, for which a lease finds the place; the machine is not looked at. */
    public Launch launchInDomain(boolean javaLauncher, List<String> command) {
        List<String> words = new ArrayList<>(placement.ruleWords());
        if (!threadPlaces.isEmpty()) {
            words.add(threadPlaces.words());
        }
        return planner(String.join(",", words))
                .launchInDomain(domain, Labels.lower(placement.memory()), javaLauncher, command);
    }

    private static LaunchPlanner planner(String threadWords) {
        return new LaunchPlanner(
                NativeLibrary::file,
                NativeLibrary::launcher,
                System.getenv().getOrDefault("JAVA_TOOL_OPTIONS", ""),
                false,
                threadWords);
    }
}
