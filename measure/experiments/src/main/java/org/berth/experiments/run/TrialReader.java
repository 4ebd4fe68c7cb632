package org.berth.experiments.run;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.berth.experiments.Experiment;
import org.berth.experiments.Schedule;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.Trial.Outcome;
import org.berth.experiments.run.TrialLog.ExperimentLine;
import org.berth.experiments.trial.JsonLines;

/** Reads what {@link TrialLog} wrote. */
final class TrialReader {
    private final Path file;
    private final ExperimentLine experiment;
    private final List<TrialLine> trials;

    private TrialReader(Path file, ExperimentLine experiment, List<TrialLine> trials) {
        this.file = file;
        this.experiment = experiment;
        this.trials = trials;
    }

    private record Kind(@JsonProperty(required = true) String kind) {}

    private record Schema(int schema) {}

    /** @throws DifferentExperimentException when the file is of another schema, or damaged at its beginning */
    static TrialReader read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty()) {
            throw new DifferentExperimentException(file + " is empty");
        }
        ExperimentLine first;
        try {
            int schema = JsonLines.read(lines.get(0), Schema.class).schema();
            if (schema < TrialLog.OLDEST_SCHEMA || schema > TrialLog.SCHEMA) {
                throw new DifferentExperimentException(file + " has schema " + schema + ", and this Berth knows "
                        + TrialLog.OLDEST_SCHEMA + " to " + TrialLog.SCHEMA);
            }
            first = JsonLines.read(lines.get(0), ExperimentLine.class);
        } catch (JsonProcessingException e) {
            throw new DifferentExperimentException(file + " does not begin with an experiment");
        }
        List<TrialLine> trials = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            try {
                if (JsonLines.read(line, Kind.class).kind().equals(TrialLine.KIND)) {
                    trials.add(JsonLines.read(line, TrialLine.class));
                }
            } catch (JsonProcessingException cutOff) {
                // A crash interrupted this line; its run is made again.
            }
        }
        return new TrialReader(file, first, trials);
    }

    /** All lines of runs, those of the warm-up too, in the order of the file. */
    List<TrialLine> trials() {
        return List.copyOf(trials);
    }

    /** @throws DifferentExperimentException with the first thing that differs */
    void requireSame(Map<String, String> identity) throws IOException {
        for (Map.Entry<String, String> one : identity.entrySet()) {
            String old = experiment.identity().getOrDefault(one.getKey(), "not there");
            if (!old.equals(one.getValue())) {
                throw new DifferentExperimentException("it is another experiment: " + one.getKey() + " was '" + old
                        + "' and is '" + one.getValue() + "'");
            }
        }
    }

    /**
     * The seed of the order.
     *
     * @throws DifferentExperimentException when it was not drawn
     */
    long seed() throws IOException {
        Long seed = experiment.seed();
        if (seed == null) {
            throw new DifferentExperimentException(
                    file + " was written by an older Berth, which did not draw the order of runs: its rounds cannot"
                            + " be continued");
        }
        return seed;
    }

    /** The runs that need not be made again, by their numbers: those that ended on their own or timed out. */
    Map<Integer, Trial> ended(Path directory, Experiment of) throws IOException {
        Schedule schedule = of.schedule();
        Map<Integer, Trial> ended = new HashMap<>();
        for (TrialLine line : trials) {
            if (line.outcome() != Outcome.STOPPED
                    && line.number() <= schedule.runs().size()) {
                ScheduledRun run = schedule.runs().get(line.number() - 1);
                String arm = of.arms().get(run.arm()).name();
                if (line.round() != run.round() || !line.arm().equals(arm)) {
                    throw new DifferentExperimentException(file + ": run " + run.number() + " was of " + line.arm()
                            + " in round " + line.round() + ", not of " + arm + " in round " + run.round());
                }
                ended.put(line.number(), line.trial(run, directory));
            }
        }
        return ended;
    }
}
