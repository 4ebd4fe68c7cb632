package org.berth.placement;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Whether a thread may leave the CPUs of its slot.
 *
 * @since 0.1.0
 */
public enum EdgeMode {
    /** Never. */
    HARD,
    /** While it would have to wait for a CPU there ({@link SoftEdges}). */
    SOFT;

    /** The word in settings. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads the word.
     *
     * @throws PlacementException when it is none
     */
    public static EdgeMode parse(String word) {
        return Arrays.stream(values())
                .filter(mode -> mode.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new PlacementException("edge '" + PlanLine.shortened(word) + "' is none of "
                        + Arrays.stream(values()).map(EdgeMode::word).collect(Collectors.joining(", "))));
    }
}
