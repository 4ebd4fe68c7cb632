package org.berth.cli.probe;

import java.util.List;
import org.berth.probes.ProbeSample;
import org.berth.report.comparison.SpreadJson;
import org.berth.text.Json;

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
        return Json.of(Json.object()
                .with("format", "berth-probe")
                .with("version", 1)
                .withEach("probes", results, ProbeJson::probe));
    }

    private static Json.Fields probe(ProbeResult result) {
        return Json.object()
                .with("device", result.device())
                .with("what", result.what())
                .with("reference", result.reference())
                .with("interrupts", result.handling())
                .with("messageBytes", result.sizeBytes())
                .withEach("classes", result.classes(), one -> classOfCores(one, result.samples()))
                .withEach("samples", result.samples(), ProbeJson::sample)
                .with("notes", result.notes());
    }

    private static Json.Fields classOfCores(ProbeClass one, List<ProbeSample> samples) {
        Json.Fields fields = Json.object().with("class", one.kind().name());
        if (one.core().isEmpty()) {
            return fields.with("reason", one.reason());
        }
        return fields.with("core", one.core().get().label())
                .with("cpus", one.core().get().cpus())
                .with("megabytesPerSecond", SpreadJson.of(one.rates(samples)))
                .with("cpuMillis", SpreadJson.of(one.cpuMillis(samples)));
    }

    private static Json.Fields sample(ProbeSample sample) {
        return Json.object()
                .with("class", sample.place())
                .with("round", sample.round())
                .with("seconds", sample.seconds())
                .with("megabytesPerSecond", sample.megabytesPerSecond())
                .with("cpuSeconds", sample.cpuSeconds())
                .with("lastCpu", sample.lastCpu());
    }
}
