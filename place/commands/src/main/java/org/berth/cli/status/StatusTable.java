package org.berth.cli.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.berth.binding.leases.LeaseRecord;
import org.berth.cli.shared.jvm.ProgramName;
import org.berth.drawing.internal.text.Canvas;
import org.berth.observation.memory.MemorySnapshot;
import org.berth.text.Bytes;
import org.berth.text.TextTable;
import org.berth.text.TextTable.Align;

/** Processes as a table, one on each line. A pure function. */
final class StatusTable {
    private static final String UNKNOWN = "-";
    /** Longer texts are cut; --json has the whole ones. */
    private static final int TEXT_COLUMNS = 24;

    private static final int SHORTEST_NAME = 13;
    private static final int NAME_PART = 6;

    private StatusTable() {}

    /** Columns that do not fit go on below. */
    static String render(List<ProcessState> processes, int columns) {
        SortedSet<Integer> nodes = new TreeSet<>();
        processes.forEach(one -> one.memory()
                .value()
                .ifPresent(memory -> nodes.addAll(memory.bytesByNode().keySet())));
        boolean leases = processes.stream().anyMatch(one -> one.lease().isPresent());
        List<String> head = new ArrayList<>(List.of("PID", "USER", "NAME", "THREADS", "CPUS", "POLICY"));
        nodes.forEach(node -> head.add("NODE " + node));
        head.add("REMOTE");
        if (leases) {
            head.add("LEASE");
        }
        head.add("BOUND BY");
        TextTable table = new TextTable(aligns(head)).row(head);
        int nameColumns = Math.max(SHORTEST_NAME, columns / NAME_PART);
        for (ProcessState one : processes) {
            table.row(row(one, nodes, leases, nameColumns));
        }
        return String.join("\n", table.lines(columns, groups(nodes.size(), leases))) + "\n";
    }

    private static Align[] aligns(List<String> head) {
        return head.stream()
                .map(title -> title.matches("PID|THREADS|NODE .*|REMOTE") ? Align.RIGHT : Align.LEFT)
                .toArray(Align[]::new);
    }

    /** User and name, then each column alone. */
    private static List<Integer> groups(int nodes, boolean leases) {
        List<Integer> groups = new ArrayList<>(List.of(2, 1, 1, 1));
        int rest = nodes + (leases ? 3 : 2);
        for (int i = 0; i < rest; i++) {
            groups.add(1);
        }
        return groups;
    }

    private static List<String> row(ProcessState one, SortedSet<Integer> nodes, boolean leases, int nameColumns) {
        List<String> row = new ArrayList<>(List.of(
                Long.toString(one.pid()),
                Canvas.fit(one.user(), TEXT_COLUMNS),
                Canvas.fit(ProgramName.of(one.facts()), nameColumns),
                Integer.toString(one.facts().masks().size()),
                cpus(one),
                Canvas.fit(one.policy().orElse(UNKNOWN), TEXT_COLUMNS)));
        Optional<MemorySnapshot> memory = one.memory().value();
        for (int node : nodes) {
            row.add(memory.map(known -> Bytes.text(known.bytesByNode().getOrDefault(node, 0L)))
                    .orElse(UNKNOWN));
        }
        row.add(one.remoteShare()
                .map(share -> String.format(Locale.ROOT, "%.0f %%", 100 * share))
                .orElse(UNKNOWN));
        if (leases) {
            row.add(Canvas.fit(one.lease().map(StatusTable::lease).orElse(UNKNOWN), TEXT_COLUMNS));
        }
        row.add(one.boundBy().word());
        return row;
    }

    /** "0-15 (5 masks)". */
    private static String cpus(ProcessState one) {
        String all = Canvas.fit(one.facts().cpus().toString(), TEXT_COLUMNS);
        return one.masks().size() < 2 ? all : all + " (" + one.masks().size() + " masks)";
    }

    private static String lease(LeaseRecord lease) {
        return lease.name().isEmpty() ? lease.domain() : lease.domain() + ", " + lease.name();
    }
}
