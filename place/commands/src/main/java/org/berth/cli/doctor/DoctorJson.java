package org.berth.cli.doctor;

import java.util.List;
import java.util.OptionalInt;
import org.berth.drawing.internal.text.Json;

/**
 * Findings as JSON with stable field names and words. Version 1:
 *
 * <pre>
 * { "format": "berth-doctor", "version": 1, "pid": 4242,
 *   "findings": [ { "severity": "ok" | "info" | "unknown" | "warning" | "problem", "check": WORD, "read": TEXT, "fix": TEXT }, … ] }
 * </pre>
 *
 * <p>The severity "unknown" stands for a check that could not be made; "read" has the reason and "fix" what to do about it. pid is left out when the machine was asked about.
 */
final class DoctorJson {
    private DoctorJson() {}

    static String render(OptionalInt pid, List<Finding> findings) {
        return Json.of(Json.object()
                .with("format", "berth-doctor")
                .with("version", 1)
                .with("pid", pid)
                .with("findings", findings));
    }
}
