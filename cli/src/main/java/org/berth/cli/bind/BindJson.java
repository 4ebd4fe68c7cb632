package org.berth.cli.bind;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.topology.CpuSet;

/**
 * What became of processes as JSON with stable field names; sets are lists of kernel numbers such as "0-3,8". Version 1:
 *
 * <pre>
 * { "format": "berth-bind" | "berth-unbind", "version": 1, "dryRun": false,
 *   "processes": [ { "pid", "name", "allowedCpus": LIST, "cpus": LIST, "nodes": LIST,
 *     "before": { "threads": [ { "cpus": LIST, "count" }, … ], "bytesByNode": { "0": 1048576, … } }, "after": …,
 *     "seats": [ { "tid", "name", "rule", "slot", "cpus": LIST }, … ], "notes": [ TEXT, … ], "failure": TEXT }, … ] }
 * </pre>
 *
 * <p>before, after and failure are left out when there is none; so is bytesByNode where the kernel does not tell.
 */
final class BindJson {
    private BindJson() {}

    static String render(String format, boolean dryRun, List<BindOutcome> outcomes) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("format", format);
            json.writeNumberField("version", 1);
            json.writeBooleanField("dryRun", dryRun);
            json.writeArrayFieldStart("processes");
            for (BindOutcome outcome : outcomes) {
                write(json, outcome);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.append('\n').toString();
    }

    private static void write(JsonGenerator json, BindOutcome outcome) throws IOException {
        json.writeStartObject();
        json.writeNumberField("pid", outcome.pid());
        json.writeStringField("name", outcome.name());
        json.writeStringField("allowedCpus", outcome.allowed().toString());
        json.writeStringField("cpus", outcome.cpus().toString());
        json.writeStringField("nodes", outcome.nodes().toString());
        write(json, "before", outcome.before());
        write(json, "after", outcome.after());
        json.writeArrayFieldStart("seats");
        for (ThreadSeats.Seat seat : outcome.seats()) {
            json.writeStartObject();
            json.writeNumberField("tid", seat.tid());
            json.writeStringField("name", seat.name());
            json.writeStringField("rule", seat.rule());
            json.writeNumberField("slot", seat.slot());
            json.writeStringField("cpus", seat.cpus().toString());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("notes");
        for (String note : outcome.notes()) {
            json.writeString(note);
        }
        json.writeEndArray();
        if (outcome.failure().isPresent()) {
            json.writeStringField("failure", outcome.failure().get());
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String name, Optional<LiveState> state) throws IOException {
        if (state.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart(name);
        json.writeArrayFieldStart("threads");
        for (Map.Entry<CpuSet, Integer> threads : state.get().threads().entrySet()) {
            json.writeStartObject();
            json.writeStringField("cpus", threads.getKey().toString());
            json.writeNumberField("count", threads.getValue());
            json.writeEndObject();
        }
        json.writeEndArray();
        if (state.get().memory().isPresent()) {
            json.writeObjectFieldStart("bytesByNode");
            for (Map.Entry<Integer, Long> node :
                    state.get().memory().get().bytesByNode().entrySet()) {
                json.writeNumberField(node.getKey().toString(), node.getValue());
            }
            json.writeEndObject();
        }
        json.writeEndObject();
    }
}
