package org.berth.cli.tune;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.berth.cli.compare.output.ParagraphWidth;
import org.berth.cli.shared.Terminal;
import org.berth.experiments.Arm;
import org.berth.experiments.Metric;
import org.berth.experiments.Verdict;
import org.berth.experiments.race.Race;
import org.berth.experiments.race.RacePlan;
import org.berth.experiments.race.RaceResult;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.result.Summary;
import org.berth.report.comparison.Answer;
import org.berth.report.comparison.ComparisonText;
import org.berth.report.comparison.VerdictText;
import org.berth.text.TextTable;
import org.berth.text.WordWrap;
import org.berth.text.Words;

/** The result of a race: when candidates were dropped, and the line to use with the reason, or that nothing helps. */
record TuneReport(TuneCandidates candidates, RaceResult result) {
    static final String WHAT = "the answer";
    private static final String NOT_BETTER = "not_better";
    private static final int FAILURE = 1;
    private static final int OPEN = 3;

    /** The answer of the race. */
    enum Outcome {
        HELPS,
        /** Shown: the best candidate is worse, or the same within the margin. */
        NOTHING_HELPS,
        /** Neither shown to help nor shown not to. */
        UNDECIDED,
        NO_ANSWER
    }

    /**
     * Prints the table, what makes it doubtful, and last the answer, alone; returns the exit code: 1 without an answer, 3 when the runs do
     * not settle it.
     *
     * @param explain whether the reasons follow the table, too
     */
    int print(Terminal terminal, boolean explain) {
        PrintWriter out = terminal.out();
        out.println();
        table(terminal.columns()).forEach(out::println);
        out.println();
        if (explain) {
            explanation().stream()
                    .flatMap(line -> WordWrap.wrap(line, ParagraphWidth.of(terminal)).stream())
                    .forEach(out::println);
        }
        warnings().stream()
                .flatMap(line -> WordWrap.wrap(line, ParagraphWidth.of(terminal)).stream())
                .forEach(out::println);
        out.println("Raw results and logs: " + result.directory());
        if (Files.exists(page())) {
            out.println("Report: " + page());
        }
        out.println();
        ParagraphWidth.ofAnswer(sentence(), terminal).forEach(out::println);
        return switch (answer()) {
            case HELPS, NOTHING_HELPS -> 0;
            case UNDECIDED -> OPEN;
            case NO_ANSWER -> FAILURE;
        };
    }

    /** The file of the report, among the results. */
    Path page() {
        return result.directory().resolve("report.html");
    }

    Outcome answer() {
        Optional<Verdict> verdict = result.verdict();
        if (result.stopped() || verdict.isEmpty() || failedAtTheEnd() > 0 || isUnprinted()) {
            return Outcome.NO_ANSWER;
        }
        return switch (verdict.get().kind()) {
            case FASTER -> Outcome.HELPS;
            case SLOWER, EQUIVALENT -> Outcome.NOTHING_HELPS;
            case NO_DIFFERENCE_FOUND -> isLeftToKernel() ? Outcome.NOTHING_HELPS : Outcome.UNDECIDED;
            case FAILS_MORE_OFTEN, LEVEL_TOO_LOW, TOO_FEW_PAIRS, NOT_ENDED, NOTHING_TO_COMPARE -> Outcome.NO_ANSWER;
        };
    }

    /** The line to use; empty unless a candidate helps. */
    Optional<String> line() {
        return answer() == Outcome.HELPS
                ? result.winner().map(arm -> candidate(arm.name()).line())
                : Optional.empty();
    }

    /** Lines of an engine's configuration that do the same; empty without an answer, and for a command without one. */
    Map<String, String> settings() {
        return answer() == Outcome.HELPS
                ? result.winner().map(arm -> candidate(arm.name()).settings()).orElse(Map.of())
                : Map.of();
    }

    /** Whether binding is not worth it: the winner binds nothing, or is not better than the unbound command. */
    boolean leaveToKernel() {
        return switch (answer()) {
            case HELPS ->
                result.winner()
                        .filter(arm -> arm.binding() == Arm.Binding.UNBOUND)
                        .isPresent();
            case NOTHING_HELPS -> isLeftToKernel();
            case UNDECIDED, NO_ANSWER -> false;
        };
    }

    /** Whether the fresh runs show that no bound arm is better by more than the margin. */
    private boolean isLeftToKernel() {
        return result.confirmation().flatMap(one -> one.summary().kernel()).isPresent();
    }

    /** Whether the answer is that nothing helps, although the winner's verdict alone leaves it open. */
    private boolean isNotBetter() {
        return answer() == Outcome.NOTHING_HELPS
                && result.verdict()
                        .filter(one -> one.kind() == Verdict.Kind.NO_DIFFERENCE_FOUND)
                        .isPresent();
    }

    /** The word for the winner's verdict, which agrees with the answer. */
    String kind(Verdict verdict) {
        return isNotBetter() ? NOT_BETTER : verdict.kind().name().toLowerCase(Locale.ROOT);
    }

    TuneCandidate candidate(String name) {
        return candidates.list().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private List<String> table(int columns) {
        boolean shapes = candidates.list().get(0).shape().isPresent();
        List<String> place = shapes ? List.of("PROCESSES", "CPUS EACH", "HEAP EACH") : List.of("CPUS");
        TextTable table = TextTable.ofNumbers()
                .row(row("CANDIDATE", place, measure().toUpperCase(Locale.ROOT) + " / none", "PAIRS", "VERDICT"));
        for (TuneCandidate one : candidates.list()) {
            Optional<Race.Standing> standing = standing(one.name());
            OptionalDouble ratio = ratio(standing);
            table.row(row(
                    one.name(),
                    shapes ? TunePlan.shape(one) : List.of(TunePlan.cpus(one)),
                    ratio.isPresent() ? String.format(Locale.ROOT, "%.3f", ratio.getAsDouble()) : "-",
                    standing.map(known -> Integer.toString(known.quotients().size()))
                            .orElse("-"),
                    word(one.name(), standing)));
        }
        return table.lines(columns, List.of(place.size(), 2, 1));
    }

    /** What became of a candidate; of the winner also what fresh runs say. */
    String word(String name, Optional<Race.Standing> standing) {
        return fate(name, standing)
                + result.confirmation()
                        .map(ExperimentResult::summary)
                        .filter(summary -> summary.arms().get(1).arm().equals(name))
                        .map(summary -> ": "
                                + (isNotBetter()
                                        ? NOT_BETTER.replace('_', ' ')
                                        : Answer.word(summary, summary.arms().get(1))))
                        .orElse("");
    }

    private static List<String> row(String first, List<String> place, String... others) {
        List<String> cells = new ArrayList<>(List.of(first));
        cells.addAll(place);
        cells.addAll(List.of(others));
        return cells;
    }

    /** The number that the race is about, if it is not the wall time. */
    Optional<Metric> metric() {
        return result.experiment().metrics().stream().findFirst();
    }

    String measure() {
        return metric().map(Metric::name).orElse("wall time");
    }

    boolean higherIsBetter() {
        return metric().filter(one -> one.better() == Metric.Better.HIGHER).isPresent();
    }

    /** The number of a candidate divided by that of none, as everywhere else; the race itself makes what is low win. */
    OptionalDouble ratio(Optional<Race.Standing> standing) {
        OptionalDouble estimate = standing.map(Race.Standing::estimate).orElse(OptionalDouble.empty());
        return higherIsBetter() && estimate.isPresent() ? OptionalDouble.of(1 / estimate.getAsDouble()) : estimate;
    }

    String fate(String name, Optional<Race.Standing> standing) {
        if (name.equals(candidates.list().get(0).name())) {
            return "baseline";
        }
        if (result.withdrawn().stream().anyMatch(arm -> arm.name().equals(name))) {
            return "failed in the warm-up";
        }
        if (standing.isEmpty()) {
            return "not run";
        }
        if (standing.get().leftAfter().isPresent()) {
            return (standing.get().failed() ? "failed in heat " : "after heat ")
                    + standing.get().leftAfter().getAsInt();
        }
        if (result.race().orElseThrow().plan().heats().isEmpty()) {
            return "only candidate";
        }
        return result.winner().isPresent() ? "winner" : "in the race";
    }

    /** Its runs in the heats; empty without runs. */
    Optional<Race.Standing> standing(String name) {
        return result.race()
                .flatMap(race -> race.standings().stream()
                        .filter(one -> result.arm(one.candidate()).name().equals(name))
                        .findFirst());
    }

    /** What a reader takes home. */
    List<String> sentence() {
        Outcome answer = answer();
        if (answer == Outcome.NO_ANSWER) {
            return List.of("NOT DECIDED: " + obstacle());
        }
        Summary summary = result.confirmation().orElseThrow().summary();
        String baseline = summary.arms().get(0).arm();
        return switch (answer) {
            case HELPS -> {
                List<String> lines = new ArrayList<>(Answer.lines(summary, Map.of(winner(), line().orElseThrow())));
                settings().forEach((key, value) -> lines.add("Setting: " + key + " " + value));
                yield lines;
            }
            case NOTHING_HELPS -> {
                double possible = Answer.possibleGain(summary);
                yield List.of(
                        possible <= 0
                                ? Answer.nothing(baseline) + " The best candidate, " + winner() + ", is worse."
                                : Answer.nothing(
                                        baseline,
                                        isLeftToKernel() ? summary.claims().margin() : possible));
            }
            case UNDECIDED, NO_ANSWER ->
                List.of(Answer.open(summary) + "more --runs, or a machine with less other work, can tell.");
        };
    }

    private String winner() {
        return result.winner().map(Arm::name).orElse("");
    }

    /** What a reader must know before the answer. */
    List<String> warnings() {
        List<String> lines = new ArrayList<>();
        if (answer() == Outcome.HELPS
                && result.verdict()
                        .flatMap(Verdict::interval)
                        .filter(one -> one.within(Verdict.MARGIN))
                        .isPresent()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "The difference is significant but below %.0f %%, hardly worth an option.",
                    100 * Verdict.MARGIN));
        }
        result.otherWork().flatMap(ComparisonText::disturbance).ifPresent(lines::add);
        return lines;
    }

    /** Why the answer is what it is. */
    private List<String> explanation() {
        List<String> lines =
                new ArrayList<>(List.of(measure() + " / none: of a candidate, divided by that of the unbound"
                        + " command; " + (higherIsBetter() ? "above" : "below") + " 1 is better."));
        result.confirmation().map(ExperimentResult::summary).ifPresent(summary -> {
            lines.add("In fresh runs: " + VerdictText.sentences(summary).get(0));
            VerdictText.kernel(summary).ifPresent(lines::add);
            lines.add(
                    "These pairs did not take part in the selection, whose ratios above are biased in favour of the winner. They"
                            + " hold for this machine, this work and this load.");
        });
        if (answer() == Outcome.HELPS) {
            lines.add(
                    "A difference that was only just found looks larger than it is; count on the end of the interval that is"
                            + " nearer to none.");
            if (leaveToKernel()) {
                lines.add(
                        "Leave it to the kernel: the winner binds nothing, and it won the race against all bound candidates.");
            }
        }
        return lines;
    }

    /** Whether fresh runs ended without the number that the race is about: their verdict is one on the wall time. */
    private boolean isUnprinted() {
        return metric().isPresent()
                && result.confirmation()
                        .filter(one -> one.summary().arms().stream()
                                .flatMap(arm -> arm.metrics().stream())
                                .noneMatch(number -> number.values().isPresent()))
                        .isPresent();
    }

    private String obstacle() {
        if (result.stopped()) {
            return "stopped before the end" + leader() + ".";
        }
        if (isUnprinted() && failedAtTheEnd() == 0) {
            return "no run printed " + measure() + "; compare --metric with the output of a run in "
                    + result.directory() + ".";
        }
        if (result.verdict()
                .filter(one -> one.kind() == Verdict.Kind.LEVEL_TOO_LOW)
                .isPresent()) {
            return "the level of " + measure() + " is too low to compare; choose another --metric.";
        }
        if (result.race().isPresent()) {
            return result.confirmation().isPresent()
                    ? "the winner " + result.winner().map(Arm::name).orElse("")
                            + " or none failed in the confirmation; see the logs."
                    : "every candidate failed, or no run printed " + measure() + "; see the logs.";
        }
        int left = result.experiment().arms().size() - 1;
        if (Double.isNaN(result.secondsOfRun()) || left == 0 || !result.baselineCompleted()) {
            return "the command failed " + (left == 0 ? "with every candidate" : "without berth") + "; see the logs.";
        }
        int least = RacePlan.of(left, 1).runs() + candidates.list().size();
        return String.format(
                Locale.ROOT,
                "a run takes %.2f s, and a race of %s needs at least %d runs, %.0f s; give a larger --budget or --runs, or fewer"
                        + " candidates.",
                result.secondsOfRun(),
                Words.count(left, "candidate"),
                least,
                Math.ceil(least * result.secondsOfRun()));
    }

    /** A hint, no more: the leader of a race is subject to selection bias. */
    private String leader() {
        Optional<Race> race = result.race().filter(one -> one.leader().isPresent());
        if (race.isEmpty() || result.confirmation().isPresent()) {
            return "";
        }
        Race.Standing first = race.get().standings().get(race.get().leader().getAsInt());
        return String.format(
                Locale.ROOT,
                "; so far %s leads, with %.3f times none's %s over %s, which is not confirmed and is biased in its favour",
                result.arm(first.candidate()).name(),
                ratio(Optional.of(first)).orElseThrow(),
                measure(),
                Words.count(first.quotients().size(), "pair"));
    }

    private int failedAtTheEnd() {
        return result.confirmed().map(arm -> arm.failed() + arm.timedOut()).orElse(0);
    }
}
