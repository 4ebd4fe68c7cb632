package org.berth.cli.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import org.berth.placement.AffinityClass;
import org.berth.placement.Decision;
import org.berth.placement.ServiceCore;

/**
 * Classes of cores and decisions as JSON with stable field names; sets are lists such as "0-3,8". Version 1:
 *
 * <pre>
 * { "format": "berth-dynamic-plan", "version": 1, "source", "policy",
 *   "disk", "diskInterrupts": LIST, "network", "networkInterrupts": LIST, "idleCpus": LIST, "loadMeasured",
 *   "cores": [ { "label", "cpus": LIST, "classes": [ "DS", "NN" ] }, … ],
 *   "decisions": [ { "thread", "cpus": LIST, "class" (left out when none), "words" }, … ], "notes": [ TEXT, … ] }
 * </pre>
 */
final class DynamicPlanJson {
    private DynamicPlanJson() {}

    static String render(DynamicPlan plan, String policy, String source) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("format", "berth-dynamic-plan");
            json.writeNumberField("version", 1);
            json.writeStringField("source", source);
            json.writeStringField("policy", policy);
            json.writeStringField("disk", plan.disk().name());
            json.writeStringField(
                    "diskInterrupts", plan.disk().interrupts().handlingCpus().toString());
            json.writeStringField("network", plan.network().name());
            json.writeStringField(
                    "networkInterrupts",
                    plan.network().interrupts().handlingCpus().toString());
            json.writeStringField("idleCpus", plan.load().idle().toString());
            json.writeBooleanField("loadMeasured", plan.measured());
            writeCores(json, plan);
            writeDecisions(json, plan);
            json.writeArrayFieldStart("notes");
            for (String note : plan.placement().notes()) {
                json.writeString(note);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.append('\n').toString();
    }

    private static void writeCores(JsonGenerator json, DynamicPlan plan) throws IOException {
        json.writeArrayFieldStart("cores");
        for (ServiceCore core : plan.placement().cores()) {
            json.writeStartObject();
            json.writeStringField("label", core.label());
            json.writeStringField("cpus", core.cpus().toString());
            json.writeArrayFieldStart("classes");
            for (AffinityClass kind : core.classes()) {
                json.writeString(kind.name());
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeDecisions(JsonGenerator json, DynamicPlan plan) throws IOException {
        json.writeArrayFieldStart("decisions");
        int thread = 0;
        for (Decision decision : plan.decisions()) {
            json.writeStartObject();
            json.writeNumberField("thread", thread++);
            json.writeStringField("cpus", decision.cpus().toString());
            if (decision.chosen().isPresent()) {
                json.writeStringField("class", decision.chosen().get().name());
            }
            json.writeStringField("words", decision.words());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
