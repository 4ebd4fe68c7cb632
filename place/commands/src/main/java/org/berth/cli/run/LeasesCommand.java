package org.berth.cli.run;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.berth.binding.leases.LeaseListing;
import org.berth.binding.leases.LeaseRecord;
import org.berth.binding.leases.Leases;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.jvm.ProgramName;
import org.berth.drawing.internal.text.Canvas;
import org.berth.observation.ObservationException;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.process.PidNamespace;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.text.Json;
import org.berth.text.TextTable;
import org.berth.text.WordWrap;
import org.berth.text.Words;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth leases}: lists the leases of this host. */
@Command(
        name = "leases",
        description = {
            "List the leases of this host: domain, CPUs, name and PID of each process.",
            "A process started with 'berth run --domain', or with domain= or worker=free of the agent, holds its lease until"
                    + " it ends."
        },
        footer = {"", "berth leases", "berth leases --json", "berth run --domain core:1 -- berth leases"})
public final class LeasesCommand implements Callable<Integer> {
    private static final int NAME_COLUMNS = 60;
    private static final int GAP = 2;
    private static final String HIDDEN = " (holder not seen)";
    /** Any user may hold a lease of every second CPU; --json has the whole list. */
    private static final int SET_COLUMNS = 60;
    /** On a narrow screen, NODES and EXCLUSIVE, then PID to FOR, then DOMAIN, then NAME may go on below. */
    private static final List<Integer> COLUMN_GROUPS = List.of(2, 3, 1, 1);

    private final Terminal terminal;

    @Option(names = "--leases", paramLabel = "DIR", description = LeasesFolder.DESCRIPTION)
    private Optional<Path> directory = Optional.empty();

    @Mixin
    private JsonOption json = new JsonOption();

    /** A lease, and who has it now. */
    private record Held(LeaseRecord lease, Reading<Long> holder) {}

    public LeasesCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        LeasesFolder.requireExisting(directory);
        Leases leases = directory.map(Leases::at).orElseGet(Leases::ofHost);
        LeaseListing listing = leases.listing();
        List<LeaseRecord> sorted = new ArrayList<>(listing.leases());
        sorted.sort(Comparator.<LeaseRecord>comparingInt(lease -> lease.cpus().first())
                .thenComparing(LeaseRecord::since)
                .thenComparing(LeaseRecord::pid));
        long ownNamespace = PidNamespace.number(SystemFiles.LIVE).orElse(0L);
        List<Held> held = sorted.stream()
                .map(lease -> new Held(lease, holder(lease, ownNamespace)))
                .toList();
        json.write(
                terminal,
                "the leases",
                () -> toJson(leases.directory(), listing, held, ownNamespace),
                () -> held.isEmpty()
                        ? "no leases in " + leases.directory() + "\n"
                        : table(leases.directory(), held, ownNamespace, terminal.lineColumns()));
        notes(listing, held).forEach(note -> terminal.err().println("berth: note: " + note));
        return 0;
    }

    private static List<String> notes(LeaseListing listing, List<Held> held) {
        List<String> notes = new ArrayList<>(listing.warning().stream().toList());
        if (listing.unreadable() > 0) {
            notes.add(Words.count(listing.unreadable(), "locked file")
                    + " cannot be read (leases of a newer Berth, or none at all): no domain is exclusive");
        }
        held.stream()
                .flatMap(one -> one.holder().refusal().stream())
                .findFirst()
                .ifPresent(refusal ->
                        notes.add("holders that are not visible may be processes of other users: " + refusal));
        return notes;
    }

    private static String table(Path directory, List<Held> held, long ownNamespace, int columns) {
        int firstColumn = held.stream()
                .mapToInt(one ->
                        Math.min(SET_COLUMNS, one.lease().cpus().toString().length()))
                .reduce("CPUS".length(), Math::max);
        Map<Long, String> users =
                LeaseHolders.users(directory, held.stream().map(Held::lease).toList());
        TextTable table = new TextTable(TextTable.Align.LEFT)
                .row("CPUS", "NODES", "EXCLUSIVE", "PID", "USER", "FOR", "DOMAIN", "NAME");
        for (Held one : held) {
            LeaseRecord lease = one.lease();
            Reading<Long> holder = one.holder();
            table.row(
                    Canvas.fit(lease.cpus().toString(), SET_COLUMNS),
                    lease.memoryNodes().isEmpty()
                            ? "-"
                            : Canvas.fit(lease.memoryNodes().toString(), SET_COLUMNS),
                    lease.exclusive() ? "yes" : "no",
                    pid(lease, holder, ownNamespace),
                    users.getOrDefault(lease.user(), Long.toString(lease.user())),
                    age(lease.since()),
                    lease.domain(),
                    Canvas.fit(name(lease, holder), columns - firstColumn - GAP));
        }
        return String.join("\n", table.lines(columns, COLUMN_GROUPS)) + "\n";
    }

    /** Refused for one that this user may not see. */
    private static Reading<Long> holder(LeaseRecord lease, long ownNamespace) {
        return lease.pidNamespace() == ownNamespace
                ? LeaseHolders.find(lease)
                : Reading.absent("in another PID namespace");
    }

    private static String pid(LeaseRecord lease, Reading<Long> holder, long ownNamespace) {
        return holder.fold(
                pid -> Long.toString(pid),
                absent -> lease.pid()
                        + (lease.pidNamespace() == ownNamespace
                                ? " (ended; held by a child)"
                                : " (in another PID namespace)"),
                refusal -> lease.pid() + HIDDEN);
    }

    /** Sets are lists of kernel numbers such as "0-3,8". */
    private static String toJson(Path directory, LeaseListing listing, List<Held> held, long ownNamespace) {
        return Json.of(Json.object()
                .with("format", "berth-leases")
                .with("version", 1)
                .with("directory", directory.toString())
                .with("unreadable", listing.unreadable())
                .with("warning", listing.warning().orElse(""))
                .withEach(
                        "leases",
                        held,
                        one -> Json.object()
                                .with("cpus", one.lease().cpus())
                                .with("nodes", one.lease().memoryNodes())
                                .with("exclusive", one.lease().exclusive())
                                .with("pid", one.lease().pid())
                                .with("holder", one.holder().orElse(0L))
                                .with("ownPidNamespace", one.lease().pidNamespace() == ownNamespace)
                                .with("user", one.lease().user())
                                .with("since", one.lease().since().toString())
                                .with("domain", one.lease().domain())
                                .with("name", one.lease().name())));
    }

    /** The lease's name, otherwise the main class of a JVM, or the holder's command line if it is readable. */
    private static String name(LeaseRecord lease, Reading<Long> holder) {
        return lease.name().isEmpty() ? holder.map(LeasesCommand::program).orElse("") : lease.name();
    }

    private static String program(long pid) {
        try {
            ProcessFacts process = ProcessFacts.of(pid, Path.of("/"));
            String name = process.javaMachine().orElse(false)
                    ? ProgramName.of(process)
                    : WordWrap.plain(String.join(" ", process.arguments()).strip());
            return Canvas.fit(name, NAME_COLUMNS);
        } catch (ObservationException ended) {
            return "";
        }
    }

    private static String age(Instant since) {
        long seconds = Math.max(0, Duration.between(since, Instant.now()).toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        return seconds < 7200
                ? seconds / 60 + " min"
                : seconds < 172_800 ? seconds / 3600 + " h" : seconds / 86_400 + " d";
    }
}
