package org.berth.cli.bind;

import java.util.List;
import java.util.Optional;
import org.berth.drawing.internal.text.Json;

/**
 * Results for processes as JSON with stable field names; sets are lists of kernel numbers such as "0-3,8". Version 1:
 *
 * <pre>
 * { "format": "berth-bind" | "berth-unbind", "version": 1, "dryRun": false,
 *   "processes": [ { "pid", "name", "allowedCpus": LIST, "cpus": LIST, "nodes": LIST,
 *     "before": { "threads": [ { "cpus": LIST, "count" }, … ], "bytesByNode": { "0": 1048576, … } }, "after": …,
 *     "slots": [ { "tid", "name", "rule", "slot", "cpus": LIST }, … ], "notes": [ TEXT, … ], "failure": TEXT }, … ] }
 * </pre>
 *
 * <p>before, after and failure are left out when there is none; bytesByNode is replaced by "memoryUnknown": TEXT where it could not be read.
 */
final class BindJson {
    private BindJson() {}

    static String render(String format, boolean dryRun, List<BindOutcome> outcomes) {
        return Json.of(Json.object()
                .with("format", format)
                .with("version", 1)
                .with("dryRun", dryRun)
                .withEach("processes", outcomes, BindJson::process));
    }

    private static Json.Fields process(BindOutcome outcome) {
        return Json.object()
                .with("pid", outcome.pid())
                .with("name", outcome.name())
                .with("allowedCpus", outcome.allowed())
                .with("cpus", outcome.cpus())
                .with("nodes", outcome.nodes())
                .with("before", outcome.before().map(BindJson::state))
                .with("after", outcome.after().map(BindJson::state))
                .with("slots", outcome.slots())
                .with("notes", outcome.notes())
                .with("failure", outcome.failure());
    }

    private static Json.Fields state(LiveState state) {
        return Json.object()
                .withEach(
                        "threads",
                        state.threads().entrySet(),
                        threads -> Json.object().with("cpus", threads.getKey()).with("count", threads.getValue()))
                .with("bytesByNode", state.memory().map(memory -> memory.bytesByNode()))
                .with("memoryUnknown", Optional.of(state.memoryMissing()).filter(reason -> !reason.isEmpty()));
    }
}
