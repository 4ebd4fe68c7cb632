package org.berth.cli.compare.arms;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.berth.cli.plan.Placement;
import org.berth.cli.run.DomainRun;
import org.berth.cli.run.Launch;
import org.berth.cli.run.LaunchPlanner;
import org.berth.cli.run.PlannedRun;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.launch.CommandLookup;
import org.berth.experiments.Arm;
import org.berth.experiments.KernelSwitch;
import org.berth.observation.internal.threads.Expectation;
import org.berth.observation.internal.threads.ThreadNamePattern;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.ThreadRule;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/** The arms of a command besides its levels, and those that this machine does not allow, with the reason. */
public final class CommandArms {
    private final Topology topology;
    private final List<String> command;
    private final boolean javaLauncher;
    private final BiFunction<PlacementPlan, String, Path> planFile;
    private final List<Arm> arms = new ArrayList<>();
    private final List<String> absent = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /**
     * Collects what the arms of a command need.
     *
     * @param planFile writes the plan of an arm of that name
     */
    public CommandArms(
            Topology topology,
            List<String> command,
            boolean javaLauncher,
            BiFunction<PlacementPlan, String, Path> planFile) {
        this.topology = topology;
        this.command = command;
        this.javaLauncher = javaLauncher;
        this.planFile = planFile;
    }

    public List<Arm> arms() {
        return arms;
    }

    /** "numactl: …, not run", one line each. */
    public List<String> absent() {
        return absent;
    }

    /** Lines for the user before the runs. */
    public List<String> notes() {
        return notes;
    }

    public void add(ExtraArms more) throws IOException {
        if (more.balanceOrBind().isPresent()) {
            BalanceArms balance = BalanceArms.of(topology, more.balanceOrBind().get());
            balance.arms().forEach(this::add);
            absent.addAll(balance.absent());
            notes.addAll(balance.notes());
        }
        if (more.near().isPresent()) {
            addNear(Arguments.device(more.near().get(), topology));
        }
        if (more.numactl()) {
            addNumactl();
        }
        if (more.balancing()) {
            addBalancing();
        }
        more.written().forEach(this::add);
    }

    /** One more arm. */
    public void add(UserArm arm) {
        if (arm.run() instanceof DomainRun run) {
            // Only the lease knows the domain, so nothing is expected of the threads.
            arms.add(arm(arm, run.launch(javaLauncher, command), Expectation.none()));
        } else if (arm.run() instanceof PlannedRun run) {
            PlannedRun.Ready ready =
                    run.ready(topology, javaLauncher, command, plan -> planFile.apply(plan, arm.name()));
            // An unbound arm with variables of its own differs from the others in something else.
            Arm.Binding binding = ready.means() != LaunchPlanner.Means.NOTHING
                    ? Arm.Binding.BOUND
                    : arm.environment().isEmpty() ? Arm.Binding.UNBOUND : Arm.Binding.UNKNOWN;
            arms.add(arm(arm, ready.launch(), expectation(ready.plan(), ready.means()))
                    .withBinding(binding));
        }
    }

    private static Arm arm(UserArm arm, Launch launch, Expectation expectation) {
        Map<String, String> environment = new HashMap<>(arm.environment());
        // The agent's option follows the user's own JVM options.
        launch.environment().forEach((name, value) -> environment.merge(name, value, (own, ours) -> own + " " + ours));
        return new Arm(arm.name(), launch.words(), environment, expectation, arm.kernel(), Arm.Binding.BOUND);
    }

    private static Expectation expectation(PlacementPlan plan, LaunchPlanner.Means means) {
        if (means == LaunchPlanner.Means.NOTHING) {
            return Expectation.none();
        }
        List<ThreadNamePattern> names = plan.rules().stream()
                .map(ThreadRule::glob)
                .map(ThreadNamePattern::of)
                .toList();
        return names.isEmpty() ? Expectation.within(plan.workerCpus(0)) : CompareArms.expectation(plan, names);
    }

    private void addNear(String device) {
        PlannedRun run = PlannedRun.of(Placement.of(AffinityLevel.NONE).withNear(device), 1);
        if (run.plan(topology).workerCpus(0).equals(topology.allowedCpuSet())) {
            absent.add("near: every allowed CPU is near " + device + ", the same as none");
        } else {
            add(UserArm.of("near", run));
        }
    }

    private void addNumactl() {
        List<TopologyObject> nodes = topology.objectsIntersecting(topology.allowedCpuSet(), ObjectType.NUMA_NODE);
        if (nodes.size() < 2) {
            absent.add("numactl: only one NUMA node has allowed CPUs");
            return;
        }
        Path program;
        try {
            program = CommandLookup.find("numactl", System.getenv().getOrDefault("PATH", ""));
        } catch (CommandException missing) {
            throw CommandException.failure(
                    "--numactl: " + missing.getMessage() + "; install it: apt-get install numactl", missing);
        }
        for (TopologyObject node : nodes) {
            List<String> words = new ArrayList<>(List.of(
                    program.toString(), "--cpunodebind=" + node.osIndex(), "--membind=" + node.osIndex(), "--"));
            words.addAll(command);
            CpuSet cpus = node.cpuSet().intersection(topology.allowedCpuSet());
            arms.add(new Arm("numactl-" + node.osIndex(), words, Map.of(), Expectation.within(cpus))
                    .withBinding(Arm.Binding.BOUND));
        }
    }

    private void addBalancing() throws IOException {
        KernelSwitch balancing = KernelKnob.NUMA_BALANCING.switched("1");
        Optional<String> obstacle = balancing.obstacle();
        if (obstacle.isPresent()) {
            throw CommandException.failure("--numa-balancing: " + obstacle.get());
        }
        if (balancing.isOn()) {
            absent.add("balancing: " + balancing.setting() + " is " + balancing.value() + " already, the same as none");
        } else {
            arms.add(new Arm(
                    "balancing", command, Map.of(), Expectation.none(), List.of(balancing), Arm.Binding.UNBOUND));
        }
    }
}
