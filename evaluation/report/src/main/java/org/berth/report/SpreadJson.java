package org.berth.report;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Optional;
import org.berth.experiments.statistics.Spread;

/** A spread as a field of a JSON object; nothing when there is none. */
public final class SpreadJson {
    private SpreadJson() {}

    public static void write(JsonGenerator json, String name, Optional<Spread> spread) throws IOException {
        if (spread.isPresent()) {
            json.writeObjectFieldStart(name);
            json.writeNumberField("median", spread.get().median());
            json.writeNumberField("min", spread.get().min());
            json.writeNumberField("max", spread.get().max());
            if (spread.get().variation().isPresent()) {
                json.writeNumberField("variation", spread.get().variation().getAsDouble());
            }
            json.writeEndObject();
        }
    }
}
