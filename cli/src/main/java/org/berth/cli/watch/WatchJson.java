package org.berth.cli.watch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import org.berth.drawing.timeline.ThreadSummary;
import org.berth.observation.CpuRun;
import org.berth.observation.MigrationCount;

/** A watch as JSON: threads with their runs, times in seconds since the first sample. */
final class WatchJson {
    private WatchJson() {}

    static String render(WatchTarget target, WatchRecord record) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeNumberField("pid", target.pid());
            json.writeStringField("name", record.name());
            json.writeNumberField("seconds", record.seconds());
            json.writeNumberField("samples", record.samples());
            json.writeStringField("allowed", record.allowed().toString());
            moves(json, record.moves());
            json.writeArrayFieldStart("threads");
            for (ThreadSummary thread : record.summaries()) {
                json.writeStartObject();
                json.writeNumberField("tid", thread.track().tid());
                json.writeStringField("name", thread.track().name());
                json.writeNumberField("cpuSeconds", thread.cpuNanos() / 1e9);
                moves(json, thread.moves());
                json.writeArrayFieldStart("runs");
                for (CpuRun run : thread.track().runs()) {
                    json.writeStartObject();
                    json.writeNumberField("from", (run.fromNanos() - record.startNanos()) / 1e9);
                    json.writeNumberField("to", (run.toNanos() - record.startNanos()) / 1e9);
                    json.writeNumberField("cpu", run.cpu());
                    json.writeEndObject();
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text + "\n";
    }

    private static void moves(JsonGenerator json, MigrationCount moves) throws IOException {
        json.writeObjectFieldStart("migrations");
        if (moves.kernelBetweenCpus().isPresent()) {
            json.writeNumberField(
                    "betweenCpusByKernel", moves.kernelBetweenCpus().getAsLong());
        }
        json.writeNumberField("betweenCpusSeen", moves.seenBetweenCpus());
        json.writeNumberField("betweenCoresSeen", moves.seenBetweenCores());
        json.writeNumberField("betweenCachesSeen", moves.seenBetweenCaches());
        json.writeNumberField("betweenPackagesSeen", moves.seenBetweenPackages());
        json.writeNumberField("betweenNodesSeen", moves.seenBetweenNodes());
        json.writeEndObject();
    }
}
