package org.berth.cli.doctor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalInt;

/**
 * Findings as JSON with stable field names and words. Version 1:
 *
 * <pre>
 * { "format": "berth-doctor", "version": 1, "pid": 4242,
 *   "findings": [ { "severity": "ok" | "info" | "warning" | "problem", "check": WORD, "read": TEXT, "fix": TEXT }, … ] }
 * </pre>
 *
 * <p>pid is left out when the machine was asked about.
 */
final class DoctorJson {
    private DoctorJson() {}

    static String render(OptionalInt pid, List<Finding> findings) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("format", "berth-doctor");
            json.writeNumberField("version", 1);
            if (pid.isPresent()) {
                json.writeNumberField("pid", pid.getAsInt());
            }
            json.writeArrayFieldStart("findings");
            for (Finding finding : findings) {
                json.writeStartObject();
                json.writeStringField("severity", finding.severity().word());
                json.writeStringField("check", finding.check());
                json.writeStringField("read", finding.read());
                json.writeStringField("fix", finding.fix());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.append('\n').toString();
    }
}
