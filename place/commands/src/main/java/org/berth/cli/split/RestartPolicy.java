package org.berth.cli.split;

import java.time.Duration;

/**
 * Whether and when a process that has ended is started again. Immutable.
 *
 * @param limit restarts in a row; a process that ran for {@link #CALM} begins anew
 */
record RestartPolicy(When when, int limit) {
    static final int DEFAULT_LIMIT = 5;

    /** After this long a process counts as healthy. */
    static final Duration CALM = Duration.ofMinutes(1);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final int LONGEST_PAUSE_DOUBLINGS = 6;

    enum When {
        NEVER,
        ON_FAILURE,
        ALWAYS
    }

    static RestartPolicy never() {
        return new RestartPolicy(When.NEVER, 0);
    }

    /** @param inRow restarts since it was healthy */
    boolean restarts(int exitCode, int inRow) {
        boolean wanted = when == When.ALWAYS || (when == When.ON_FAILURE && exitCode != 0);
        return wanted && inRow < limit;
    }

    /** 1 s, 2 s, 4 s and so on, up to 64 s. */
    static Duration pause(int inRow) {
        return FIRST_PAUSE.multipliedBy(1L << Math.min(inRow, LONGEST_PAUSE_DOUBLINGS));
    }
}
