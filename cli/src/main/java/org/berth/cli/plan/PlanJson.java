package org.berth.cli.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.berth.placement.ThreadRule;

/**
 * A plan as JSON with stable field names; sets are lists of kernel numbers such as "0-3,8". Version 1:
 *
 * <pre>
 * { "format": "berth-plan", "version": 1, "source": "live" | FILE | DESCRIPTION, "level", "memory",
 *   "allowedCpus": LIST, "oversubscribed": false, "workers": 2,
 *   "policy", "device" (both only for a policy near a device; "level" is then the one that binds about as tightly),
 *   "slots": [ { "index", "worker", "thread", "role", "cpus": LIST, "nodes": LIST, "reason" }, … ],
 *   "rules": [ { "glob", "role" }, … ], "choices": [ TEXT, … ], "notes": [ TEXT, … ] }
 * </pre>
 */
final class PlanJson {
    private PlanJson() {}

    static String render(PlacementPlan plan, Optional<DeviceChoice> device, String source, List<String> choices) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            write(json, plan, device, source, choices);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.append('\n').toString();
    }

    private static void write(
            JsonGenerator json, PlacementPlan plan, Optional<DeviceChoice> device, String source, List<String> choices)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("format", "berth-plan");
        json.writeNumberField("version", 1);
        json.writeStringField("source", source);
        json.writeStringField("level", plan.level().word());
        if (device.isPresent()) {
            json.writeStringField("policy", device.get().policy().word());
            json.writeStringField("device", device.get().device());
        }
        json.writeStringField("memory", plan.memory().word());
        json.writeStringField("allowedCpus", plan.allowed().toString());
        json.writeBooleanField("oversubscribed", plan.oversubscribed());
        json.writeNumberField("workers", plan.workers());
        json.writeArrayFieldStart("slots");
        for (Slot slot : plan.slots()) {
            json.writeStartObject();
            json.writeNumberField("index", slot.index());
            json.writeNumberField("worker", slot.worker());
            json.writeNumberField("thread", slot.thread());
            json.writeStringField("role", slot.role());
            json.writeStringField("cpus", slot.cpus().toString());
            json.writeStringField("nodes", slot.memoryNodes().toString());
            json.writeStringField("reason", slot.reason());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("rules");
        for (ThreadRule rule : plan.rules()) {
            json.writeStartObject();
            json.writeStringField("glob", rule.glob());
            json.writeStringField("role", rule.role());
            json.writeEndObject();
        }
        json.writeEndArray();
        writeTexts(json, "choices", choices);
        writeTexts(json, "notes", plan.notes());
        json.writeEndObject();
    }

    private static void writeTexts(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }
}
