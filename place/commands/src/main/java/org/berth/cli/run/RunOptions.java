package org.berth.cli.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.berth.binding.internal.launch.AgentOptions;
import org.berth.cli.plan.Placement;
import org.berth.cli.plan.PlacementOptions;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.placement.ThreadRule;
import org.berth.topology.CpuSet;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that bind a command: those of {@code run}, which an arm of {@code compare} takes as well. */
public final class RunOptions {
    private static final List<OptionRule> OWN_RULES = List.of(
            OptionRule.excludes("--domain", "--level --policy --near --cpus --hardware-threads", ""),
            OptionRule.excludes("--domain", "--threads", "core:K gives K cores"),
            OptionRule.needs("--select --leases --name", "--domain", "one of numa, package, l3, core:K"),
            OptionRule.needs("--slots --smt", "--domain", "a level has its own slots"),
            OptionRule.needs(
                    "--threads",
                    "--level --policy",
                    "without a level the command gets all CPUs that the other options leave"));

    /** What they need and exclude. */
    public static final List<OptionRule> RULES = Stream.of(OWN_RULES, NumactlOptions.RULES, PlacementOptions.RULES)
            .flatMap(List::stream)
            .toList();

    @Mixin
    private PlacementOptions placement = new PlacementOptions();

    @Mixin
    private NumactlOptions numactl = new NumactlOptions();

    @Mixin
    private DomainOptions domain = new DomainOptions();

    @Mixin
    private ThreadOptions threadOptions = new ThreadOptions();

    @Option(
            names = "--threads",
            paramLabel = "T",
            description = "Number of cores (level core), PUs (level pu) or slots of a policy that the command gets;"
                    + " default: 1, with rules for threads all.")
    private Optional<Integer> threads = Optional.empty();

    /** The values of the options; a usage error when they contradict each other. */
    public RunRequest request() {
        return domain.request()
                .<RunRequest>map(request -> {
                    Placement rest = placement.withoutCpus();
                    ThreadChoice choice = ruleChoice(rest.rules()).and(threadOptions.choice());
                    if (choice.isNumbered()) {
                        requireOnThisMachine(choice);
                    }
                    return new DomainRun(
                            request,
                            rest.memory().mode(),
                            Optional.empty(),
                            choice.optionsOfDomain(),
                            rest.memory().isDefaultPolicy());
                })
                .orElseGet(this::planned);
    }

    private PlannedRun planned() {
        ThreadChoice choice = threadOptions.choice();
        if (!placement.choosesCpus() && !choice.hasRules() && !numactl.isGiven()) {
            throw CommandException.usage("--level is missing: choose one of none, numa, package, l3, core, pu, or give"
                    + " --domain, --cpus, --near, --memory, --policy, --rule or -N");
        }
        Placement own = placement.placement(choice.hasRules(), numactl.isGiven());
        Placement wanted =
                numactl.isGiven() ? numactl.applyTo(own, TargetMachine.live().topology()) : own;
        threads.filter(count -> count < 1).ifPresent(count -> {
            throw CommandException.usage("--threads " + count + ": a command needs at least one thread");
        });
        wanted.rules().stream()
                .map(ThreadRule::glob)
                .filter(ThreadTarget::isRule)
                .findFirst()
                .ifPresent(rule -> {
                    throw CommandException.usage(
                            "--rule '" + rule + "': with --level or --policy a rule is a GLOB, whose"
                                    + " threads get a slot each; write GLOB -> TARGET into a file and give --rules FILE");
                });
        return new PlannedRun(wanted, threads, choice);
    }

    /** The agent reads a whole rule behind rule=; a plan has globs only. */
    private static ThreadChoice ruleChoice(List<ThreadRule> rules) {
        AgentOptions options = AgentOptions.none();
        List<ThreadTarget> targets = new ArrayList<>();
        for (ThreadRule rule : rules) {
            options = options.withRule(rule.glob());
            targets.add(ThreadTarget.ofRule("--rule '" + rule.glob() + "'", rule.glob()));
        }
        return new ThreadChoice(options, Optional.empty(), targets);
    }

    /** A lease chooses the domain later, and that is never more than all allowed CPUs. */
    private static void requireOnThisMachine(ThreadChoice choice) {
        CpuSet allowed = TargetMachine.live().topology().allowedCpuSet();
        choice.require(allowed.size(), allowed);
    }
}
