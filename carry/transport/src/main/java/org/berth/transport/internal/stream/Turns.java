package org.berth.transport.internal.stream;

/**
 * The part of each pass over all ready channels that the channels of one owner may take. A thousand connections of one
 * peer
 * that are ready at once would be a tenth of a second in which no other message is read. Who is passed over comes first
 * in one of the next passes, since the selector has them in the same order each time.
 */
final class Turns {
    /**
     * Length of a turn: no measurement shows that 0.05 ms is better for others than 0.25 ms, and each pass asks the
     * selector.
     */
    static final long PART_NANOS = 250_000;

    private long pass = -1;
    private long takenNanos;
    private int first;
    private int seen;
    private int served;

    /** Whether the next ready channel has its turn in this pass; after it, {@link #took} is to be called. */
    boolean hasOne(long currentPass) {
        if (currentPass != pass) {
            first = served < seen ? (first + served) % seen : 0;
            pass = currentPass;
            takenNanos = 0;
            seen = 0;
            served = 0;
        }
        boolean has = seen >= first && takenNanos < PART_NANOS;
        seen++;
        if (has) {
            served++;
        }
        return has;
    }

    void took(long nanos) {
        takenNanos += nanos;
    }
}
