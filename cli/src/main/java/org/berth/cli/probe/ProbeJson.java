package org.berth.cli.probe;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import org.berth.probes.ProbeSample;
import org.berth.report.SpreadJson;

/**
 * Results of probes as JSON with stable field names; sets are lists such as "0-3,8". Version 1:
 *
 * <pre>
 * { "format": "berth-probe", "version": 1, "probes": [
 *   { "device": "disk" | "network", "what", "reference", "interrupts": LIST, "messageBytes",
 *     "classes": [ { "class": "DS", "core", "cpus": LIST, "megabytesPerSecond": { "median", "min", "max", "variation" },
 *                    "cpuMillis": likewise } or { "class", "reason" }, … ],
 *     "samples": [ { "class", "round", "seconds", "megabytesPerSecond", "cpuSeconds", "lastCpu" }, … ],
 *     "notes": [ TEXT, … ] }, … ] }
 * </pre>
 */
public final class ProbeJson {
    private ProbeJson() {}

    public static String render(List<ProbeResult> results) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("format", "berth-probe");
            json.writeNumberField("version", 1);
            json.writeArrayFieldStart("probes");
            for (ProbeResult result : results) {
                probe(json, result);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.append('\n').toString();
    }

    private static void probe(JsonGenerator json, ProbeResult result) throws IOException {
        json.writeStartObject();
        json.writeStringField("device", result.device());
        json.writeStringField("what", result.what());
        json.writeStringField("reference", result.reference());
        json.writeStringField("interrupts", result.handling().toString());
        json.writeNumberField("messageBytes", result.sizeBytes());
        json.writeArrayFieldStart("classes");
        for (ProbeClass one : result.classes()) {
            json.writeStartObject();
            json.writeStringField("class", one.kind().name());
            if (one.core().isPresent()) {
                json.writeStringField("core", one.core().get().label());
                json.writeStringField("cpus", one.core().get().cpus().toString());
                SpreadJson.write(json, "megabytesPerSecond", one.rates(result.samples()));
                SpreadJson.write(json, "cpuMillis", one.cpuMillis(result.samples()));
            } else {
                json.writeStringField("reason", one.reason());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("samples");
        for (ProbeSample sample : result.samples()) {
            json.writeStartObject();
            json.writeStringField("class", sample.place());
            json.writeNumberField("round", sample.round());
            json.writeNumberField("seconds", sample.seconds());
            json.writeNumberField("megabytesPerSecond", sample.megabytesPerSecond());
            json.writeNumberField("cpuSeconds", sample.cpuSeconds());
            json.writeNumberField("lastCpu", sample.lastCpu());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("notes");
        for (String note : result.notes()) {
            json.writeString(note);
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
