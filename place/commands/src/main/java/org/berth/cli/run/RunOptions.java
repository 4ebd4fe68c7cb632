package org.berth.cli.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.berth.binding.internal.launch.AgentOptions;
import org.berth.binding.internal.launch.DomainRequest;
import org.berth.cli.plan.LevelReading;
import org.berth.cli.plan.Placement;
import org.berth.cli.plan.PlacementOptions;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.ThreadRule;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that bind a command: those of {@code run}, which an arm of {@code compare} takes as well. */
public final class RunOptions {
    private static final List<OptionRule> OWN_RULES = List.of(
            OptionRule.excludes("--domain", "--policy --near --cpus --hardware-threads", ""),
            OptionRule.excludes("--domain", "--threads", "core:K gives K cores"),
            OptionRule.needs("--select", "--domain", "one of numa, package, l3, core:K"),
            OptionRule.needs("--leases --name --no-lease", "--domain --threads", "a part of the host is leased"),
            OptionRule.excludes("--no-lease", "--select --leases --name", "they are about a lease"),
            OptionRule.needs("--smt", "--domain", "a level has its own slots"),
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
            description =
                    "How many places of --level or --policy the command gets as a whole, such as four cores; default:"
                            + " with rules for threads, all.")
    private Optional<Integer> threads = Optional.empty();

    /**
     * The values of the options; a usage error when they contradict each other. A part of the host is taken by a lease,
     * unless the user names the CPUs, the nodes or {@code --no-lease}.
     */
    public RunRequest request() {
        RunRequest request = requestOfArm();
        return request instanceof PlannedRun run && takesPart(run) ? leased(run) : request;
    }

    /** The same for an arm of an experiment: its levels take the same part of the host in each run, without a lease. */
    public RunRequest requestOfArm() {
        Optional<FirstPart> first = domain.firstPart();
        return first.<RunRequest>map(this::inFirst)
                .or(() -> domain.request().map(this::inDomain))
                .orElseGet(this::planned);
    }

    /** A line for a command that gets a part of the host which other commands may get as well. */
    Optional<String> noteOnLease(RunRequest request) {
        return request instanceof PlannedRun run && takesPart(run) && run.hasRules()
                ? Optional.of(
                        "no lease is taken for level " + run.placement().level().word()
                                + " with rules for threads: another command may get the same CPUs; with level core or pu they are leased")
                : Optional.empty();
    }

    private DomainRun inDomain(DomainRequest request) {
        if (request.kind().startsWith(FirstPart.CPUS)) {
            FirstPart.parse(request.kind()).require(TargetMachine.live().topology());
        }
        Placement rest = placement.withoutCpus();
        ThreadChoice choice = slots(ruleChoice(rest.rules()).and(threadOptions.choice()), placement.givenLevel());
        if (choice.isNumbered()) {
            requireOnThisMachine(choice);
        }
        return inDomain(request, rest, choice);
    }

    private static DomainRun inDomain(DomainRequest request, Placement rest, ThreadChoice choice) {
        return new DomainRun(
                request,
                rest.memory().mode(),
                Optional.empty(),
                choice.optionsOfDomain(),
                rest.memory().isDefaultPolicy());
    }

    /** The first part of its kind, in which the other options choose. */
    private PlannedRun inFirst(FirstPart part) {
        ThreadChoice choice = threadOptions.choice();
        Placement inside = placement.placement(choice.hasRules(), true);
        if (choice.hasRules() || !inside.rules().isEmpty()) {
            CpuSet cpus = part.on(TargetMachine.live().topology());
            return new PlannedRun(inside.withCpus(cpus), Optional.empty(), choice);
        }
        LevelReading.requireOne(inside.level(), false);
        Placement whole = Placement.of(part.level()).withMemory(inside.memory());
        return new PlannedRun(part.cpus().map(whole::withCpus).orElse(whole), Optional.of(part.count()), choice);
    }

    private PlannedRun planned() {
        ThreadChoice choice = threadOptions.choice();
        if (!placement.choosesCpus() && !choice.hasRules() && !numactl.isGiven()) {
            throw CommandException.usage("where may the command run? Give --domain, --cpus, --near, --memory or -N; for"
                    + " places of single threads, --rule or --preset, and --level");
        }
        Placement own = placement.placement(choice.hasRules(), numactl.isGiven());
        Placement wanted =
                numactl.isGiven() ? numactl.applyTo(own, TargetMachine.live().topology()) : own;
        threads.filter(count -> count < 1).ifPresent(count -> {
            throw CommandException.usage("--threads " + count + ": a command needs at least one thread");
        });
        PlannedRun run = new PlannedRun(wanted, threads, choice);
        if (threads.isEmpty()) {
            LevelReading.requireOne(wanted.level(), run.hasRules());
        }
        wanted.rules().stream()
                .map(ThreadRule::glob)
                .filter(ThreadTarget::isRule)
                .findFirst()
                .ifPresent(rule -> {
                    throw CommandException.usage(
                            "--rule '" + rule + "': with --level or --policy a rule is a GLOB, whose"
                                    + " threads get a slot each; write GLOB -> TARGET into a file and give --rules FILE");
                });
        return run;
    }

    /** Whether a plan cuts a part out of the host that the user has not named. */
    private boolean takesPart(PlannedRun run) {
        Placement wanted = run.placement();
        return !domain.withoutLease()
                && threads.isPresent()
                && wanted.level().level() != AffinityLevel.NONE
                && wanted.device().isEmpty()
                && wanted.cpus().isEmpty()
                && wanted.near().isEmpty()
                && !wanted.memory().hasPlace();
    }

    private RunRequest leased(PlannedRun run) {
        OrderedLevel level = run.placement().level();
        if (run.hasRules() && level.level().compareTo(AffinityLevel.CORE) < 0) {
            return run;
        }
        Topology topology = TargetMachine.live().topology();
        ThreadChoice rules =
                ruleChoice(run.placement().rules()).and(run.threadChoice()).withSlots(level.level());
        return LeasedPart.kind(run, topology, domain::leasedCpus)
                .<RunRequest>map(kind -> inDomain(domain.leased(kind), run.placement(), rules))
                .orElse(run);
    }

    /** The slots of threads inside a domain or a part of a split, whose size {@code --level} names. */
    public static ThreadChoice slots(ThreadChoice choice, Optional<OrderedLevel> level) {
        if (level.isEmpty() || (level.get().level() == AffinityLevel.NONE && !choice.hasRules())) {
            return choice;
        }
        LevelReading.requireOne(level.get(), choice.hasRules());
        if (level.get().level().compareTo(AffinityLevel.CORE) < 0
                || !level.get().equals(OrderedLevel.of(level.get().level()))) {
            throw CommandException.usage("--level " + level.get().word()
                    + ": inside a part of the host the place of a thread is a core or a PU; choose core or pu");
        }
        return choice.withSlots(level.get().level());
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
