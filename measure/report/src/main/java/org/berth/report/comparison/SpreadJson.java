package org.berth.report.comparison;

import java.util.Optional;
import org.berth.experiments.statistics.Spread;
import org.berth.text.Json;

/** A spread as an object of JSON; its unit is in the name of the field. Pure. */
public final class SpreadJson {
    private SpreadJson() {}

    /** Is empty when there is none. */
    public static Optional<Json.Fields> of(Optional<Spread> spread) {
        return spread.map(one -> Json.object()
                .with("median", one.median())
                .with("min", one.min())
                .with("max", one.max())
                .with("variation", one.variation()));
    }
}
