package org.berth.cli.plan;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.CommonOptions;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.OutputFile;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import org.berth.drawing.internal.text.Canvas;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementPolicy;
import org.berth.placement.PlacementRequest;
import org.berth.placement.internal.dynamic.DynamicPolicy;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth plan}: shows the slots that a level or policy gives workers and threads. */
@CommonOptions({
    "--level",
    "--workers",
    "--threads",
    "--cpus",
    "--near",
    "--memory",
    "--rule",
    "--policy",
    "--volume",
    "--topology",
    "--svg",
    "--text",
    "--json"
})
@Command(
        name = "plan",
        description =
                "Show the slots that a level or policy gives workers and threads, and the reasons; nothing is bound.",
        footer = {
            "",
            "berth plan --level core --workers 2 --threads 8",
            "berth plan --level pu --topology \"pack:2 numa:2 core:6 pu:8\"",
            "berth plan --policy interrupt --disk cpu:0 --nic cpu:4 --busy 0-1 --topology \"pack:2 numa:1 core:4 pu:1\""
        })
public final class PlanCommand implements Callable<Integer>, OptionRules {
    private final Terminal terminal;

    @Mixin
    private PlacementOptions options = new PlacementOptions();

    @Mixin
    private DynamicOptions dynamic = new DynamicOptions();

    @Option(
            names = "--workers",
            paramLabel = "W",
            description = "Number of processes; default: one for each package, or for each node at level numa.")
    private Optional<String> workers = Optional.empty();

    @Option(names = "--threads", paramLabel = "T", description = "Threads of each worker; default: one for each slot.")
    private Optional<String> threads = Optional.empty();

    @Option(
            names = "--topology",
            paramLabel = "FILE|SYNTHETIC",
            description = "Another machine: hwloc XML ('-' reads standard input) or a synthetic description.")
    private Optional<String> input = Optional.empty();

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description = "Also draw the plan on the machine, with the numbers of workers in the CPUs.")
    private Optional<String> svg = Optional.empty();

    @Option(names = "--text", description = "Print the plan as the text that the agent reads.")
    private boolean text;

    @Option(names = "--ascii", description = "Print ASCII only (the default when the locale is not UTF-8).")
    private boolean ascii;

    public PlanCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return Stream.of(PlacementOptions.RULES, DynamicOptions.RULES)
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public Integer call() {
        if (json.takesOutput() && text) {
            throw CommandException.usage("--json and --text exclude each other; choose one");
        }
        if (svg.filter(OutputFile.STANDARD_OUTPUT::equals).isPresent()) {
            throw CommandException.usage("--svg -: the plan itself goes to standard output; name a file");
        }
        svg.ifPresent(file -> OutputFile.check(file, "the picture of the plan"));
        options.requireForOtherMachine(input);
        Optional<DynamicPolicy> byInterrupts = options.policyWord().flatMap(DynamicPlanner::policy);
        if (byInterrupts.isPresent()) {
            return planByInterrupts(byInterrupts.get());
        }
        // Usage errors that need no topology are reported before one is read.
        Placement placement = options.placement();
        int askedWorkers =
                workers.map(count -> Arguments.count("--workers", count)).orElse(0);
        int askedThreads =
                threads.map(count -> Arguments.count("--threads", count)).orElse(0);
        TargetMachine machine = TargetMachine.load(input);
        Topology topology = machine.topology();
        PlacementRequest request = placement.request(topology, 1, 1);
        PlacementPolicy planner = placement.policy();
        PlanShape shape = placement.device().isPresent()
                ? PlanShape.nearDevice(topology, planner, request, askedWorkers, askedThreads)
                : PlanShape.of(
                        topology, PlanShape.usable(topology, request), request.level(), askedWorkers, askedThreads);
        PlacementPlan plan =
                planner.plan(topology, request.withWorkers(shape.workers()).withThreadsPerWorker(shape.threads()));
        if (svg.isPresent()) {
            String picture = PlanPicture.svg(topology, plan, PlanTable.headline(plan, placement.device()));
            OutputFile.write(terminal, svg.get(), "the picture of the plan", picture);
        }
        print(plan, placement.device(), shape.choices(), machine);
        return 0;
    }

    private int planByInterrupts(DynamicPolicy policy) {
        String word = policy.word();
        if (svg.isPresent()) {
            throw CommandException.usage("--svg draws slots, and policy " + word
                    + " chooses a core when a thread needs it; leave --svg out");
        }
        int asked = threads.map(count -> Arguments.count("--threads", count)).orElse(0);
        dynamic.check(input.isEmpty());
        // CPUs that a cpuset hides handle interrupts, too.
        TargetMachine machine = input.isEmpty() ? TargetMachine.wholeLive() : TargetMachine.load(input);
        Topology topology = machine.topology();
        Topology usable = topology.withAllowed(options.usable(topology), topology.allowedNodeSet());
        DynamicPlan plan = DynamicPlanner.plan(policy, dynamic, machine, usable, asked);
        json.write(terminal, "the plan", () -> DynamicPlanJson.render(plan, word, machine.source()), () -> {
            String form = DynamicPlanText.render(plan, word, terminal.columns());
            return terminal.utf8() && !ascii ? form : Canvas.ascii(form);
        });
        return 0;
    }

    private void print(PlacementPlan plan, Optional<DeviceChoice> device, List<String> choices, TargetMachine machine) {
        boolean utf8 = terminal.utf8() && !ascii;
        json.write(
                terminal,
                "the plan",
                () -> PlanJson.render(plan, device, machine.source(), choices),
                () -> text
                        ? plan.toText()
                        : PlanTable.render(plan, device, choices, terminal.columns(), utf8)
                                + "\n"
                                + PlanPicture.text(
                                        machine.topology(), plan, terminal.columns(), utf8, terminal.colour()));
    }
}
