package org.berth.cli.bind;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.berth.binding.BindingException;
import org.berth.binding.BindingRecords;
import org.berth.binding.LiveProcess;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.Jcmd;
import org.berth.cli.shared.MemoryArgument;
import org.berth.cli.shared.PidArguments;
import org.berth.cli.shared.Terminal;
import org.berth.observation.ObservationException;
import org.berth.observation.ProcessFacts;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth bind}: a place for processes that run already. */
@Command(
        name = "bind",
        description = {
            "Bind the threads of running processes, and move their pages near them.",
            "Nothing is restarted; JVMs and any other program. What the threads had before is recorded, and 'berth"
                    + " unbind' gives it back. From outside pages can be moved, but no policy for new ones can be set."
        },
        footer = {"", "berth bind --level numa 4242 4243", "berth bind --cpus 0-7 --rule 'worker-*' 4242"})
public final class BindCommand implements Callable<Integer> {
    @Mixin
    private BindOptions where = new BindOptions();

    @Option(
            names = "--move",
            negatable = true,
            description = "Move, or do not move, present pages to the nodes near the CPUs; the default is to move those"
                    + " that are elsewhere.")
    private Optional<Boolean> move = Optional.empty();

    @Option(names = "--dry-run", description = "Show what would be done, and do nothing.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print what was done as JSON.")
    private boolean json;

    @Option(names = "--quiet", description = "Print only what went wrong.")
    private boolean quiet;

    @Parameters(arity = "1..*", paramLabel = "PID", description = "Processes that run.")
    private List<String> pids = new ArrayList<>();

    private final Terminal terminal;

    public BindCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** A process with what was found out before anything is changed. */
    private record Target(LiveProcess process, ProcessFacts facts, Topology topology, ThreadSeats.Match match) {}

    @Override
    public Integer call() {
        where.check();
        BindingRecords records = BindingRecords.temporary();
        List<Target> targets = new ArrayList<>();
        for (int pid : PidArguments.parse(pids)) {
            targets.add(target(pid, records));
        }
        List<BindPlanner.Place> places = BindPlanner.plan(
                where,
                common(targets),
                targets.stream().map(target -> target.match().named().size()).toList());
        List<BindOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < targets.size(); i++) {
            outcomes.add(bind(targets.get(i), places.get(i)));
        }
        return new BindReport(terminal, json, quiet).print("berth-bind", dryRun, outcomes);
    }

    private Target target(int pid, BindingRecords records) {
        try {
            LiveProcess process = LiveProcess.of(pid, records);
            ProcessFacts facts = ProcessFacts.of(pid, Path.of("/"));
            ThreadSeats.Match match = where.rules().isEmpty()
                    ? new ThreadSeats.Match(List.of(), List.of())
                    : ThreadSeats.match(where.rules(), ThreadNames.of(facts, Jcmd.find()));
            return new Target(process, facts, process.topology(), match);
        } catch (ObservationException e) {
            throw CommandException.failure("cannot bind: " + e.getMessage(), e);
        }
    }

    /** One plan can deal processes out only over a machine that is the same for all of them. */
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

    private BindOutcome bind(Target target, BindPlanner.Place place) {
        List<String> notes = new ArrayList<>(place.notes());
        LiveProcess process = target.process();
        Optional<LiveState> before = Optional.empty();
        Optional<LiveState> after = Optional.empty();
        Optional<String> failure = Optional.empty();
        ThreadSeats seats = ThreadSeats.seat(target.match(), place.slots());
        notes.addAll(seats.notes());
        try {
            LiveState now = LiveState.of(process);
            before = Optional.of(now);
            if (!dryRun) {
                process.bind(place.cpus(), seats.cpusByThread());
                failure = moveMemory(process, now, place, notes);
                after = Optional.of(LiveState.of(process));
            }
        } catch (BindingException e) {
            failure = Optional.of(String.valueOf(e.getMessage()));
        }
        notes.addAll(MemoryNotes.policy(where.memory().map(MemoryArgument::mode), place.nodes()));
        if (!move.orElse(true)) {
            after.ifPresent(state -> notes.addAll(PageMove.staying(state, place.nodes())));
        }
        return new BindOutcome(
                process.pid(),
                target.facts().name(),
                target.topology().allowedCpuSet(),
                place.cpus(),
                place.nodes(),
                seats.seats(),
                before,
                after,
                notes,
                failure);
    }

    /** The threads stay bound when only the pages could not follow. */
    private Optional<String> moveMemory(
            LiveProcess process, LiveState before, BindPlanner.Place place, List<String> notes) {
        if (!move.orElse(true)) {
            return Optional.empty();
        }
        if (before.memory().isEmpty() || place.nodes().isEmpty()) {
            notes.add("pages stay where they are: "
                    + (before.memory().isEmpty() ? before.memoryMissing() : "no memory node near the CPUs is allowed"));
            return Optional.empty();
        }
        try {
            PageMove.move(process, before, place.nodes()).ifPresent(notes::add);
            return Optional.empty();
        } catch (BindingException e) {
            return Optional.of("threads are bound, but " + e.getMessage());
        }
    }
}
