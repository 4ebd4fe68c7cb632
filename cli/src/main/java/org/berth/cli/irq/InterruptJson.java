package org.berth.cli.irq;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import org.berth.drawing.text.Labels;
import org.berth.observation.DeviceInterrupts;
import org.berth.observation.DeviceQueue;
import org.berth.observation.Interrupt;
import org.berth.observation.InterruptMap;

/**
 * Interrupts and what was done to them as JSON with stable field names; sets are lists such as "0-3,8". Version 1:
 *
 * <pre>
 * { "format": "berth-interrupts", "version": 1,
 *   "devices": [ { "name", "kind": "disk" | "network", "hardware", "node" (left out when unknown), "localCpus",
 *     "handlingCpus", "reason",
 *     "interrupts": [ { "number", "action", "effective", "allowed", "count", "control", "transmitOnly" }, … ],
 *     "queues": [ { "role": "submit" | "receive" | "transmit", "index", "cpus" }, … ] }, … ],
 *   "moves": [ { "number", "device", "action", "from", "to", "result": "planned" | "moved" | "managed" | "failed",
 *     "problem" }, … ], "restored": [ TEXT, … ], "notes": [ TEXT, … ] }
 * </pre>
 */
final class InterruptJson {
    private InterruptJson() {}

    static String render(InterruptMap map, List<InterruptOutcome> outcomes, List<String> restored, List<String> notes) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("format", "berth-interrupts");
            json.writeNumberField("version", 1);
            json.writeArrayFieldStart("devices");
            for (DeviceInterrupts device : map.devices()) {
                write(json, device);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("moves");
            for (InterruptOutcome outcome : outcomes) {
                Interrupt interrupt = outcome.move().interrupt();
                json.writeStartObject();
                json.writeNumberField("number", interrupt.number());
                json.writeStringField("device", outcome.move().device());
                json.writeStringField("action", interrupt.action());
                json.writeStringField("from", interrupt.effective().toString());
                json.writeStringField("to", outcome.move().to().toString());
                json.writeStringField("result", Labels.lower(outcome.result()));
                json.writeStringField("problem", outcome.problem());
                json.writeEndObject();
            }
            json.writeEndArray();
            write(json, "restored", restored);
            write(json, "notes", notes);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.append('\n').toString();
    }

    private static void write(JsonGenerator json, DeviceInterrupts device) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", device.name());
        json.writeStringField("kind", Labels.lower(device.kind()));
        json.writeStringField("hardware", device.hardware());
        if (device.node().isPresent()) {
            json.writeNumberField("node", device.node().getAsInt());
        }
        json.writeStringField("localCpus", device.localCpus().toString());
        json.writeStringField("handlingCpus", device.handlingCpus().toString());
        json.writeStringField("reason", device.reason());
        json.writeArrayFieldStart("interrupts");
        for (Interrupt interrupt : device.interrupts()) {
            json.writeStartObject();
            json.writeNumberField("number", interrupt.number());
            json.writeStringField("action", interrupt.action());
            json.writeStringField("effective", interrupt.effective().toString());
            json.writeStringField("allowed", interrupt.allowed().toString());
            json.writeNumberField("count", interrupt.count());
            json.writeBooleanField("control", interrupt.control());
            json.writeBooleanField("transmitOnly", interrupt.transmitOnly());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("queues");
        for (DeviceQueue queue : device.queues()) {
            json.writeStartObject();
            json.writeStringField("role", Labels.lower(queue.role()));
            json.writeNumberField("index", queue.index());
            json.writeStringField("cpus", queue.cpus().toString());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }
}
