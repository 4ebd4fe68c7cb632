package org.berth.cli.tune;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.berth.drawing.text.Labels;
import org.berth.experiments.Verdict;
import org.berth.experiments.race.Race;
import org.berth.experiments.race.RaceResult;

/** The answer of a race as data; the fields are in docs/commands/tune.md. */
final class TuneJson {
    private TuneJson() {}

    static String of(TuneReport report) throws IOException {
        RaceResult result = report.result();
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("work", result.experiment().name());
            json.writeStringField("answer", Labels.lower(report.answer()).replace('_', '-'));
            if (report.line().isPresent()) {
                json.writeStringField("line", report.line().get());
            }
            json.writeBooleanField("stopped", result.stopped());
            json.writeArrayFieldStart("candidates");
            for (TuneCandidate candidate : report.candidates().list()) {
                candidate(json, candidate, report);
            }
            json.writeEndArray();
            strings(json, "same", report.candidates().same());
            Optional<Verdict> verdict = result.verdict();
            if (verdict.isPresent()) {
                confirmation(json, result.winner().orElseThrow().name(), verdict.get());
            }
            json.writeStringField("results", result.directory().toString());
            json.writeEndObject();
        }
        return text + "\n";
    }

    private static void candidate(JsonGenerator json, TuneCandidate candidate, TuneReport report) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", candidate.name());
        json.writeStringField("options", candidate.options());
        if (candidate.cpus().isPresent()) {
            json.writeStringField("cpus", candidate.cpus().get().toString());
        }
        Optional<Race.Standing> standing = report.standing(candidate.name());
        if (standing.isPresent()) {
            json.writeNumberField("pairs", standing.get().quotients().size());
            if (standing.get().estimate().isPresent()) {
                json.writeNumberField("ratio", standing.get().estimate().getAsDouble());
            }
        }
        json.writeStringField("fate", report.fate(candidate.name(), standing));
        json.writeEndObject();
    }

    /** Of fresh runs. */
    private static void confirmation(JsonGenerator json, String winner, Verdict verdict) throws IOException {
        json.writeObjectFieldStart("confirmation");
        json.writeStringField("winner", winner);
        json.writeStringField("kind", Labels.lower(verdict.kind()));
        json.writeNumberField("pairs", verdict.pairs());
        if (verdict.estimate().isPresent()) {
            json.writeNumberField("ratio", verdict.estimate().getAsDouble());
        }
        if (verdict.interval().isPresent()) {
            json.writeNumberField("low", verdict.interval().get().low());
            json.writeNumberField("high", verdict.interval().get().high());
        }
        if (verdict.detectable().isPresent()) {
            json.writeNumberField("detectable", verdict.detectable().getAsDouble());
        }
        json.writeEndObject();
    }

    private static void strings(JsonGenerator json, String name, List<String> values) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }
}
