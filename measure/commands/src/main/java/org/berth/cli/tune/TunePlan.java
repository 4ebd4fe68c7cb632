package org.berth.cli.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.berth.experiments.race.RaceBudget;
import org.berth.experiments.race.RacePlan;
import org.berth.text.TextTable;
import org.berth.text.TextTable.Align;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/** What a race would run, as text. Pure. */
final class TunePlan {
    private static final double MINUTE = 60;

    private TunePlan() {}

    static String text(TuneCandidates candidates, Topology topology, RaceBudget limit) {
        List<String> lines = new ArrayList<>();
        lines.add("A race of " + Words.count(candidates.list().size() - 1, "candidate") + " against none, on CPUs "
                + topology.allowedCpuSet() + ".");
        lines.add("");
        boolean shapes = candidates.list().get(0).shape().isPresent();
        TextTable table = shapes
                ? new TextTable(Align.LEFT, Align.RIGHT, Align.RIGHT, Align.RIGHT, Align.LEFT)
                        .row("CANDIDATE", "PROCESSES", "CPUS EACH", "HEAP EACH", "OPTIONS")
                : new TextTable(Align.LEFT).row("CANDIDATE", "CPUS", "OPTIONS");
        for (TuneCandidate one : candidates.list()) {
            List<String> cells = new ArrayList<>(List.of(one.name()));
            cells.addAll(shapes ? shape(one) : List.of(cpus(one)));
            cells.add(one.options());
            table.row(cells);
        }
        lines.addAll(table.lines());
        if (!candidates.dropped().isEmpty()) {
            lines.add("");
            lines.add("Not run:");
            candidates.dropped().forEach(line -> lines.add("  " + line));
        }
        lines.add("");
        lines.addAll(runs(candidates, limit)
                .map(plan -> counts(candidates.list().size(), plan, limit))
                .orElseGet(() -> List.of("The number of runs depends on --budget and on the time of the warm-up's "
                        + candidates.list().size() + " runs.")));
        return lines.stream().collect(Collectors.joining("\n", "", "\n"));
    }

    /** The runs behind the warm-up; empty when they depend on the time that a run takes. */
    static Optional<RacePlan> runs(TuneCandidates candidates, RaceBudget limit) {
        int all = candidates.list().size();
        return limit.time().isPresent() ? Optional.empty() : limit.plan(all - 1, all, Double.NaN);
    }

    private static List<String> counts(int candidates, RacePlan plan, RaceBudget limit) {
        int all = candidates + plan.runs();
        String heats = plan.heats().stream()
                .map(heat -> heat.candidates() + " candidates in " + heat.pairs() + " pairs")
                .collect(Collectors.joining(", then "));
        return List.of(
                "Runs: " + candidates + " in the warm-up, " + (heats.isEmpty() ? "" : heats + ", ") + "at most "
                        + plan.confirmations() + " pairs to confirm the winner: at most " + all + ".",
                String.format(
                        Locale.ROOT,
                        "Time: that of %d runs, %s at 10 s a run, %s at 1 min, %s at 5 min; the warm-up measures it.%s",
                        all,
                        time(all * 10),
                        time(all * MINUTE),
                        time(all * 5 * MINUTE),
                        limit.runs().isPresent() ? "" : " --runs or --budget make it shorter."));
    }

    private static String time(double seconds) {
        return seconds < 2 * MINUTE * MINUTE
                ? String.format(Locale.ROOT, "%.0f min", seconds / MINUTE)
                : String.format(Locale.ROOT, "%.1f h", seconds / MINUTE / MINUTE);
    }

    /** CPUs of a candidate for a table. */
    static String cpus(TuneCandidate one) {
        return one.cpus().map(CpuSet::toString).orElse("leased");
    }

    /** Processes of a candidate, and CPUs and heap of each, for a table; the user's own candidates have one process. */
    static List<String> shape(TuneCandidate one) {
        return one.shape()
                .map(shape -> List.of(Integer.toString(shape.processes()), shape.cpusEach(), shape.heapEach()))
                .orElseGet(() -> List.of(
                        "1",
                        one.cpus().map(cpus -> Integer.toString(cpus.size())).orElse("leased"),
                        "-"));
    }
}
