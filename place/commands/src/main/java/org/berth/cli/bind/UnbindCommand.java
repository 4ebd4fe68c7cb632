package org.berth.cli.bind;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.berth.binding.LiveProcess;
import org.berth.binding.errors.BindingException;
import org.berth.binding.leases.Leases;
import org.berth.binding.records.BindingRecord;
import org.berth.binding.records.BindingRecords;
import org.berth.cli.run.LeaseHolders;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.PidArguments;
import org.berth.observation.ObservationException;
import org.berth.observation.internal.kernel.KernelSettings;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth unbind}: restores the masks that running processes had before {@code berth bind}. */
@Command(
        name = "unbind",
        description = {
            "Restore the affinity masks that the threads of running processes had before 'berth bind'.",
            "Threads that started since then get the mask of the first thread. Pages stay where they are unless --move"
                    + " is given."
        },
        footer = {"", "berth unbind PID", "berth unbind --to-cpuset PID", "berth unbind --move PID"})
public final class UnbindCommand implements Callable<Integer> {
    @Option(
            names = "--to-cpuset",
            description =
                    "Allow all CPUs of the control group's cpuset, even where 'berth bind' has recorded no" + " masks.")
    private boolean toCpuset;

    @Option(names = "--move", description = "Also migrate pages to the nodes near the restored CPUs.")
    private boolean move;

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(
            names = {"-q", "--quiet"},
            description = "Print failures only.")
    private boolean quiet;

    @Parameters(arity = "1..*", paramLabel = "PID", description = "Running processes.")
    private List<String> pids = new ArrayList<>();

    private final Terminal terminal;

    public UnbindCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        json.check(BindReport.WHAT);
        BindingRecords records = BindingRecords.ofUser();
        List<BindOutcome> outcomes = new ArrayList<>();
        for (int pid : PidArguments.parse(pids)) {
            outcomes.add(unbind(pid, records));
        }
        return new BindReport(terminal, json, quiet).print("berth-unbind", false, outcomes);
    }

    private BindOutcome unbind(int pid, BindingRecords records) {
        String name = "?";
        try {
            LiveProcess process = LiveProcess.of(pid, records);
            ProcessFacts facts = ProcessFacts.of(pid, Path.of("/"));
            name = facts.name();
            Optional<BindingRecord> record = process.record();
            if (record.isEmpty() && !toCpuset) {
                throw CommandException.failure("no masks are recorded for process " + pid
                        + ": only a 'berth bind' of the same user can be undone; --to-cpuset allows all CPUs of its"
                        + " cpuset");
            }
            Topology topology = process.topology();
            LiveState before = LiveState.of(process);
            CpuSet cpus = toCpuset ? process.widen() : process.unbind();
            List<String> notes = new ArrayList<>(memory(process, topology, before, cpus));
            if (toCpuset) {
                lease(facts).ifPresent(notes::add);
            }
            return new BindOutcome(
                    pid,
                    name,
                    cpus,
                    cpus,
                    topology.nodesOf(cpus),
                    List.of(),
                    Optional.of(before),
                    Optional.of(LiveState.of(process)),
                    notes,
                    Optional.empty());
        } catch (BindingException | ObservationException | CommandException e) {
            return BindOutcome.failed(pid, name, String.valueOf(e.getMessage()));
        }
    }

    /** Returns a note on a lease, which its holder alone can release. */
    private static Optional<String> lease(ProcessFacts process) {
        try {
            return LeaseHolders.leaseOf(process, Leases.ofHost().list())
                    .map(lease -> "it keeps its lease of CPUs " + lease.cpus()
                            + " until it ends, so others with a lease avoid these CPUs");
        } catch (BindingException noFolder) {
            return Optional.empty();
        }
    }

    private List<String> memory(LiveProcess process, Topology topology, LiveState before, CpuSet cpus) {
        NodeSet nodes = topology.nodesOf(cpus);
        if (!move) {
            return topology.nodeSet().size() > 1
                    ? List.of("pages stay on their nodes (--move migrates those that are not near the CPUs)")
                    : List.of();
        }
        long left = PageMigration.move(process, before, nodes, nodes);
        if (left == 0) {
            return List.of();
        }
        return PageMigration.left(
                        LiveState.of(process),
                        nodes,
                        KernelSettings.read(Path.of("/")).memory().orElse(new TreeMap<>()))
                .map(List::of)
                .orElseGet(List::of);
    }
}
