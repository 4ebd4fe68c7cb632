package org.berth.placement;

import java.time.Duration;

/**
 * When the edge of a slot opens and closes ({@link SoftEdges}). Immutable.
 *
 * <p>One time slice of another thread (1 to 4 ms) opens nothing. A wrong closing costs what is lost until the second sample after
 * it; the calm doubles with each one.
 *
 * @param toleratedShare share of the time, from 0 to 1, that may be lost in a slot beyond what is usual there with an open
 *     edge; 0.02 by default, which is what a soft edge may cost
 * @param toleratedCompilers share of the time that the compilers may wait, for each slot; 0.35 by default, 0.7 of a
 *     CPU in a process with two: in the first seconds of a job they waited for 0.4 to 1.3 there, afterwards for 0.1 to 0.3
 * @param calmCompilers the same for a calm, at most toleratedCompilers; 0.3 by default
 * @param openAfter time beyond a tolerated share that opens an edge; 30 ms by default
 * @param calm how much calm a slot must have before its edge closes; 1 s by default
 * @param longestCalm to how much that grows when edges open again soon after they have closed; 16 s by default
 * @since 0.1.0
 */
public record EdgeSettings(
        double toleratedShare,
        double toleratedCompilers,
        double calmCompilers,
        Duration openAfter,
        Duration calm,
        Duration longestCalm) {
    private static final EdgeSettings DEFAULTS =
            new EdgeSettings(0.02, 0.35, 0.3, Duration.ofMillis(30), Duration.ofSeconds(1), Duration.ofSeconds(16));

    /**
     * Checks them.
     *
     * @throws IllegalArgumentException one line that says which is out of its bounds
     */
    public EdgeSettings {
        if (!(toleratedShare > 0 && toleratedShare < 1)) {
            throw new IllegalArgumentException(
                    "a share of lost time of " + toleratedShare + ": choose one above 0 and below 1");
        }
        if (!(calmCompilers > 0 && calmCompilers <= toleratedCompilers && toleratedCompilers < 1)) {
            throw new IllegalArgumentException("shares of waiting compilers " + calmCompilers + " (calm) and "
                    + toleratedCompilers + " (tolerated): choose shares above 0 and below 1, the first one not larger");
        }
        if (openAfter.toNanos() <= 0 || calm.toNanos() <= 0 || calm.compareTo(longestCalm) > 0) {
            throw new IllegalArgumentException("an edge that opens after " + openAfter + " and closes after " + calm
                    + " to " + longestCalm + ": choose times above 0, the last one not below the one before");
        }
    }

    /** The defaults above. */
    public static EdgeSettings defaults() {
        return DEFAULTS;
    }
}
