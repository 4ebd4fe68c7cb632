package org.berth.oracle;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waits for what must come, with one patience for all tests: the system property {@code berth.test.patience.seconds}. The
 * default is far beyond what a loaded machine needs; only a test that fails takes so long.
 */
public final class Await {
    /** How long a test waits for what must come. */
    public static final Duration PATIENCE = Duration.ofSeconds(Long.getLong("berth.test.patience.seconds", 300));

    private static final long PAUSE_MILLIS = 10;

    private Await() {}

    /** A condition that is to hold; what it throws ends the waiting. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    /** Assertions that are to pass. */
    @FunctionalInterface
    public interface Check {
        void run() throws Exception;
    }

    /**
     * Returns once the condition holds.
     *
     * @throws AssertionError when the patience is over
     */
    public static void until(String what, Condition condition) {
        until(what, condition::holds, holds -> holds);
    }

    /**
     * Returns the first value that satisfies the condition.
     *
     * @throws AssertionError with the last value when the patience is over
     */
    public static <T> T until(String what, Callable<T> look, Predicate<? super T> wanted) {
        Last<T> last = new Last<>(what);
        try {
            for (T value = look.call(); ; value = look.call()) {
                if (wanted.test(value)) {
                    return value;
                }
                last.pause(value);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw last.failure(e);
        }
    }

    /**
     * Returns once no assertion fails.
     *
     * @throws AssertionError with the last failure when the patience is over
     */
    public static void untilAsserted(String what, Check check) {
        Last<AssertionError> last = new Last<>(what);
        try {
            while (true) {
                try {
                    check.run();
                    return;
                } catch (AssertionError failed) {
                    last.pause(failed);
                }
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw last.failure(e);
        }
    }

    /** What was seen last, and until when it may be something else. */
    private static final class Last<T> {
        private final String what;
        private final long end = System.nanoTime() + PATIENCE.toNanos();
        private @Nullable T seen;

        Last(String what) {
            this.what = what;
        }

        void pause(T value) throws InterruptedException {
            seen = value;
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(
                        "did not come within " + PATIENCE.toSeconds() + " s: " + what + "; last seen: " + value,
                        value instanceof Throwable cause ? cause : null);
            }
            Thread.sleep(PAUSE_MILLIS);
        }

        /** Such as a test's timeout, which interrupts. */
        AssertionError failure(Exception cause) {
            if (cause instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return new AssertionError(cause + " while waiting for: " + what + "; last seen: " + seen, cause);
        }
    }
}
