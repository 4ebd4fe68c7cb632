package org.berth.report;

import java.util.Optional;
import org.berth.drawing.internal.text.Json;
import org.berth.experiments.statistics.Spread;

/** A spread as an object of JSON; its unit is in the name of the field. Pure. */
public final class SpreadJson {
    private SpreadJson() {}

    /** Empty when there is none. */
    public static Optional<Json.Fields> of(Optional<Spread> spread) {
        return spread.map(one -> Json.object()
                .with("median", one.median())
                .with("min", one.min())
                .with("max", one.max())
                .with("variation", one.variation()));
    }
}
