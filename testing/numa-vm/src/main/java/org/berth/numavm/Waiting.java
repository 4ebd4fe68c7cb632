package org.berth.numavm;

/** For what comes some time: TCG is slow, and its speed is nobody's fault. */
final class Waiting {
    private static final long LONGEST_NANOS = 240_000_000_000L;

    private Waiting() {}

    /** What may take some time to hold. */
    interface Condition {
        boolean holds() throws Exception;
    }

    static void until(String what, Condition condition) {
        long end = System.nanoTime() + LONGEST_NANOS;
        try {
            while (!condition.holds()) {
                Checks.holds(what + " did not come", System.nanoTime() < end);
                Thread.sleep(50);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(what + ": " + e, e);
        }
    }
}
