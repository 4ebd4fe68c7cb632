package org.berth.cli.status;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.PidArguments;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.ObservationException;
import org.berth.observation.internal.process.JavaProcesses;
import org.berth.observation.internal.process.ProcessFacts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code berth status}: one line for each JVM of the host, or for each process of the user's choice. */
@Command(
        name = "status",
        description = {
            "Show the JVMs of this host: CPUs, memory policy, memory by node, lease, and who bound them.",
            "REMOTE is the share of a process's own memory on nodes that are not near its CPUs. No JVM is asked, and nothing is"
                    + " changed. The memory of other users' processes is shown to root."
        },
        footer = {"", "berth status", "berth status PID", "berth status --json"})
public final class StatusCommand implements Callable<Integer> {
    private static final Path ROOT = Path.of("/");
    private static final String WHAT = "the processes";

    @Mixin
    private JsonOption json = new JsonOption();

    @Parameters(
            arity = "0..*",
            paramLabel = "PID",
            description = "Processes of any kind; default: all JVMs that this user may see.")
    private List<String> pids = new ArrayList<>();

    private final Terminal terminal;

    public StatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        json.check(WHAT);
        List<ProcessFacts> facts = pids.isEmpty() ? machines() : named(PidArguments.parse(pids));
        HostState host = HostState.read(ROOT);
        List<ProcessState> processes =
                facts.stream().flatMap(one -> host.of(one).stream()).toList();
        json.write(
                terminal,
                WHAT,
                () -> StatusJson.render(processes),
                () -> processes.isEmpty()
                        ? "no JVM runs here that this user may see; for other processes give PIDs\n"
                        : StatusTable.render(processes, terminal.lineColumns()));
        host.notes(processes).forEach(note -> terminal.err().println("berth: note: " + note));
        return 0;
    }

    /** All JVMs but this one. */
    private static List<ProcessFacts> machines() {
        List<ProcessFacts> found = new ArrayList<>();
        for (long pid : JavaProcesses.of(ROOT)) {
            if (pid != ProcessHandle.current().pid()) {
                seen(pid).ifPresent(found::add);
            }
        }
        return found;
    }

    private static Optional<ProcessFacts> seen(long pid) {
        try {
            return Optional.of(ProcessFacts.of(pid, ROOT));
        } catch (NoSuchProcessException ended) {
            return Optional.empty();
        }
    }

    private static List<ProcessFacts> named(List<Integer> pids) {
        try {
            return pids.stream().map(pid -> ProcessFacts.of(pid, ROOT)).toList();
        } catch (ObservationException e) {
            throw CommandException.failure("cannot show: " + e.getMessage(), e);
        }
    }
}
