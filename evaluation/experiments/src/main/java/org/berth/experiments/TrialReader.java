package org.berth.experiments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.experiments.Trial.Outcome;
import org.berth.observation.MigrationCount;
import org.berth.observation.ResidencyShare;

/** Reads what {@link TrialLog} wrote. */
final class TrialReader {
    private final Path file;
    private final JsonTree experiment;
    private final List<JsonTree> trials;

    private TrialReader(Path file, JsonTree experiment, List<JsonTree> trials) {
        this.file = file;
        this.experiment = experiment;
        this.trials = trials;
    }

    /** @throws DifferentExperimentException when the file is not of this schema */
    static TrialReader read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty()) {
            throw new DifferentExperimentException(file + " is empty");
        }
        JsonTree first;
        try {
            first = JsonTree.parse(lines.get(0));
        } catch (IOException e) {
            throw new DifferentExperimentException(file + " does not begin with an experiment");
        }
        long schema = first.optionalNumber("schema").orElse(0);
        if (schema != TrialLog.SCHEMA) {
            throw new DifferentExperimentException(
                    file + " has schema " + schema + ", and this Berth knows " + TrialLog.SCHEMA);
        }
        List<JsonTree> trials = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            try {
                JsonTree tree = JsonTree.parse(line);
                if (tree.text("kind").equals("trial")) {
                    trials.add(tree);
                }
            } catch (IOException cutOff) {
                // The line that a crash interrupted; its run is made again.
            }
        }
        return new TrialReader(file, first, trials);
    }

    /** @throws DifferentExperimentException with the first thing that differs */
    void requireSame(Map<String, String> identity) throws IOException {
        Map<String, String> before = experiment.child("identity").textsByName();
        for (Map.Entry<String, String> one : identity.entrySet()) {
            String old = before.getOrDefault(one.getKey(), "not there");
            if (!old.equals(one.getValue())) {
                throw new DifferentExperimentException("it is another experiment: " + one.getKey() + " was '" + old
                        + "' and is '" + one.getValue() + "'");
            }
        }
    }

    /** The runs that need not be made again, by the number of their turn: those that ended by themselves or by time. */
    Map<Integer, Trial> ended(Path directory, Schedule schedule) throws IOException {
        Map<Integer, Trial> ended = new HashMap<>();
        for (JsonTree line : trials) {
            Outcome outcome = Outcome.valueOf(line.text("outcome"));
            int number = (int) line.number("number");
            if (outcome != Outcome.STOPPED && number <= schedule.turns().size()) {
                ended.put(number, trial(line, outcome, schedule.turns().get(number - 1), directory));
            }
        }
        return ended;
    }

    private Trial trial(JsonTree line, Outcome outcome, Turn turn, Path directory) throws IOException {
        if (line.number("round") != turn.round()) {
            throw new DifferentExperimentException(file + ": run " + turn.number() + " was of another round");
        }
        return new Trial(
                turn,
                line.text("arm"),
                outcome,
                line.optionalInt("exitCode"),
                Duration.ofNanos(Math.round(line.decimal("wallSeconds") * 1e9)),
                line.child("metrics").decimalsByName(),
                observed(line),
                new Measured(
                        usage(line),
                        line.optionalDecimal("remoteShare"),
                        line.optionalNumber("treePeakRssBytes"),
                        line.optionalDecimal("gcPauseSeconds"),
                        nodeBytes(line)),
                line.optionalDecimal("othersShare").orElse(Double.NaN),
                directory.resolve(line.text("log")),
                line.texts("notes"));
    }

    private static Observed observed(JsonTree line) throws IOException {
        return new Observed(
                (int) line.number("samples"),
                (int) line.number("processes"),
                (int) line.number("mostThreads"),
                moves(line, ""),
                moves(line, "OfWorkers"),
                new ResidencyShare(line.number("residencyAtHome"), line.number("residencyCounted")),
                Duration.ofNanos(Math.round(line.decimal("samplingSeconds") * 1e9)));
    }

    private static Map<Integer, Long> nodeBytes(JsonTree line) throws IOException {
        Map<Integer, Long> bytes = new HashMap<>();
        if (line.has("nodeBytes")) {
            line.child("nodeBytes")
                    .numbersByName()
                    .forEach((node, number) -> bytes.put(Integer.parseInt(node), number));
        }
        return bytes;
    }

    private static MigrationCount moves(JsonTree line, String ofWhom) throws IOException {
        return new MigrationCount(
                line.number("seenBetweenCpus" + ofWhom),
                line.number("seenBetweenCores" + ofWhom),
                line.number("seenBetweenCaches" + ofWhom),
                line.number("seenBetweenPackages" + ofWhom),
                line.number("seenBetweenNodes" + ofWhom),
                line.optionalNumber("kernelBetweenCpus" + ofWhom));
    }

    private static Optional<Usage> usage(JsonTree line) throws IOException {
        if (!line.has("usage")) {
            return Optional.empty();
        }
        JsonTree usage = line.child("usage");
        return Optional.of(new Usage(
                usage.decimal("userSeconds"),
                usage.decimal("systemSeconds"),
                usage.number("peakRssBytes"),
                usage.number("minorFaults"),
                usage.number("majorFaults"),
                usage.number("voluntarySwitches"),
                usage.number("involuntarySwitches"),
                usage.child("counters").numbersByName(),
                usage.child("missing").textsByName()));
    }
}
