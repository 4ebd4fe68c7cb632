package org.berth.cli.bind;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.berth.binding.LiveProcess;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.binding.leases.LeaseRecord;
import org.berth.binding.leases.Leases;
import org.berth.binding.records.BindingRecords;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.MemoryArgument;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import org.berth.cli.shared.arguments.PidArguments;
import org.berth.cli.shared.jvm.Jcmd;
import org.berth.cli.shared.jvm.ThreadNames;
import org.berth.observation.ObservationException;
import org.berth.observation.internal.jvm.AgentRules;
import org.berth.observation.internal.kernel.KernelSettings;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth bind}: binds processes that already run. */
@Command(
        name = "bind",
        description = {
            "Bind the threads of running processes, and migrate their pages to the nodes near them.",
            "Any program can be bound, and nothing is restarted. The previous masks are recorded, and 'berth unbind' restores"
                    + " them. Another process can migrate pages, but it cannot set the policy for new ones."
        },
        footer = {
            "",
            "berth bind --domain numa PID",
            "berth bind --cpus +0-1 PID",
            "berth bind --domain core:2 --dry-run PID"
        })
public final class BindCommand implements Callable<Integer>, OptionRules {
    /** The user's own number, which a JVM takes for every thread. */
    private static final String PROCESSORS = "-XX:ActiveProcessorCount=";

    @Mixin
    private BindOptions where = new BindOptions();

    @Option(
            names = "--move",
            negatable = true,
            description = "Migrate present pages to the nodes near the CPUs (the default), or leave them where they"
                    + " are.")
    private Optional<Boolean> move = Optional.empty();

    @Option(
            names = {"-n", "--dry-run"},
            description = "Show what would be done, and change nothing.")
    private boolean dryRun;

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(
            names = {"-q", "--quiet"},
            description = "Print failures only.")
    private boolean quiet;

    @Parameters(arity = "1..*", paramLabel = "PID", description = "Running processes.")
    private List<String> pids = new ArrayList<>();

    private final Terminal terminal;

    public BindCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** A process, with the facts read before anything is changed. */
    private record Target(LiveProcess process, ProcessFacts facts, Topology topology, ThreadSlots.Match match) {}

    @Override
    public List<OptionRule> optionRules() {
        return BindOptions.RULES;
    }

    @Override
    public Integer call() {
        where.check();
        json.check(BindReport.WHAT);
        BindingRecords records = BindingRecords.ofUser();
        List<Target> targets = new ArrayList<>();
        for (int pid : PidArguments.parse(pids)) {
            targets.add(target(pid, records));
        }
        targets.forEach(BindCommand::refuseUnmatched);
        Topology topology = common(targets);
        where.requireAllowed(topology, targets.get(0).process().pid());
        List<BindPlanner.Assignment> assignments = BindPlanner.plan(
                where,
                topology,
                targets.stream().map(target -> target.match().named().size()).toList(),
                () -> leasedByOthers(targets));
        if (!quiet && !dryRun && NativeLibrary.isTemporary(records.root())) {
            terminal.err()
                    .println(
                            "berth: note: the previous masks are recorded below " + records.root() + ": when that is"
                                    + " cleaned up, 'berth unbind' cannot restore them; set XDG_DATA_HOME to a directory that stays");
        }
        List<BindOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < targets.size(); i++) {
            outcomes.add(bind(targets.get(i), assignments.get(i)));
        }
        return new BindReport(terminal, json, quiet).print("berth-bind", dryRun, outcomes);
    }

    /** Without leases, as where there is no folder for them, all parts are as good. */
    private CpuSet leasedByOthers(List<Target> targets) {
        List<Integer> own =
                targets.stream().map(target -> target.process().pid()).toList();
        try {
            return Leases.ofHost().listing().leases().stream()
                    .filter(lease -> own.stream().noneMatch(lease::isHeldBy))
                    .map(LeaseRecord::cpus)
                    .reduce(CpuSet.empty(), CpuSet::union);
        } catch (BindingException e) {
            terminal.err().println("berth: note: parts that others hold by a lease are not avoided: " + e.getMessage());
            return CpuSet.empty();
        }
    }

    private Target target(int pid, BindingRecords records) {
        try {
            LiveProcess process = LiveProcess.of(pid, records);
            ProcessFacts facts = ProcessFacts.of(pid, Path.of("/"));
            ThreadSlots.Match match = where.rules().isEmpty()
                    ? ThreadSlots.NO_RULES
                    : ThreadSlots.match(where.rules(), ThreadNames.of(facts, Jcmd.find()));
            return new Target(process, facts, process.topology(), match);
        } catch (ObservationException e) {
            throw CommandException.failure("cannot bind: " + e.getMessage(), e);
        }
    }

    /** Without its threads, a mistyped rule would leave the whole process the CPUs of one thread. */
    private static void refuseUnmatched(Target target) {
        List<String> unmatched = target.match().unmatched();
        if (!unmatched.isEmpty()) {
            throw CommandException.failure(
                    "cannot bind process " + target.process().pid() + ": "
                            + String.join("; ", unmatched) + "; nothing was changed ('"
                            + (target.facts().javaMachine().orElse(false)
                                    ? "jcmd " + target.process().pid() + " Thread.print"
                                    : "ps -T -p " + target.process().pid())
                            + "' lists the names)");
        }
    }

    /** One plan can distribute processes only over a machine that is the same for all of them. */
    private static Topology common(List<Target> targets) {
        Target first = targets.get(0);
        for (Target other : targets) {
            if (!other.topology().allowedCpuSet().equals(first.topology().allowedCpuSet())
                    || !other.topology()
                            .allowedNodeSet()
                            .equals(first.topology().allowedNodeSet())) {
                throw CommandException.usage("process " + first.process().pid() + " may use CPUs "
                        + first.topology().allowedCpuSet() + " and process "
                        + other.process().pid() + " may use CPUs "
                        + other.topology().allowedCpuSet() + ": bind them one by one");
            }
        }
        return first.topology();
    }

    private BindOutcome bind(Target target, BindPlanner.Assignment assignment) {
        List<String> notes = new ArrayList<>(assignment.notes());
        LiveProcess process = target.process();
        Optional<LiveState> before = Optional.empty();
        Optional<LiveState> after = Optional.empty();
        Optional<String> failure = Optional.empty();
        ThreadSlots slots = ThreadSlots.assign(target.match(), assignment.slots());
        notes.addAll(slots.notes());
        countsItsSlot(target, slots, assignment).ifPresent(notes::add);
        try {
            LiveState now = LiveState.of(process);
            before = Optional.of(now);
            if (!dryRun) {
                process.bind(assignment.cpus(), slots.cpusByThread());
                failure = moveMemory(target, now, assignment, notes);
                after = Optional.of(LiveState.of(process));
            }
        } catch (BindingException e) {
            failure = Optional.of(String.valueOf(e.getMessage()));
        }
        notes.addAll(MemoryNotes.policy(where.memory().map(MemoryArgument::mode), assignment.nodes()));
        if (!move.orElse(true)) {
            after.ifPresent(state -> notes.addAll(PageMigration.staying(state, assignment.nodes())));
        }
        return new BindOutcome(
                process.pid(),
                target.facts().name(),
                target.topology().allowedCpuSet(),
                assignment.cpus(),
                assignment.nodes(),
                slots.assigned(),
                before,
                after,
                notes,
                failure);
    }

    /** A JVM counts the CPUs of the thread that asks; the agent lets it count those around. */
    private static Optional<String> countsItsSlot(Target target, ThreadSlots slots, BindPlanner.Assignment assignment) {
        ProcessFacts facts = target.facts();
        int fewest = slots.assigned().stream()
                .mapToInt(one -> one.cpus().size())
                .min()
                .orElse(Integer.MAX_VALUE);
        boolean counts = facts.javaMachine().orElse(false)
                && fewest < assignment.cpus().size()
                && facts.arguments().stream().noneMatch(word -> word.startsWith(PROCESSORS))
                && AgentRules.of(facts.pid(), Path.of("/")).value().isEmpty();
        return counts
                ? Optional.of("in a bound thread availableProcessors() is " + fewest
                        + ", also for the pools that it makes; start this JVM with "
                        + PROCESSORS + assignment.cpus().size()
                        + ", or with its rules by the agent ('berth run --rules', docs/guide/agent.md)")
                : Optional.empty();
    }

    /** The threads stay bound when only the migration of pages failed. */
    private Optional<String> moveMemory(
            Target target, LiveState before, BindPlanner.Assignment assignment, List<String> notes) {
        if (!move.orElse(true)) {
            return Optional.empty();
        }
        if (before.memory().isEmpty() || assignment.nodes().isEmpty()) {
            notes.add("pages stay where they are: "
                    + (before.memory().isEmpty() ? before.memoryMissing() : "no allowed memory node is near the CPUs"));
            return Optional.empty();
        }
        try {
            LiveProcess process = target.process();
            NodeSet local = target.topology().nodesOf(assignment.cpus());
            long left = PageMigration.move(process, before, assignment.nodes(), local);
            if (left == 0) {
                return Optional.empty();
            }
            PageMigration.left(
                            LiveState.of(process),
                            assignment.nodes(),
                            KernelSettings.read(Path.of("/")).memory().orElse(new TreeMap<>()))
                    .ifPresent(notes::add);
            return Optional.empty();
        } catch (BindingException e) {
            return Optional.of("threads are bound, but " + e.getMessage());
        }
    }
}
