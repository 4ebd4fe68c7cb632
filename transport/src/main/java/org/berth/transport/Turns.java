package org.berth.transport;

/**
 * The part of each pass over all ready channels that the channels of one owner may take. A thousand connections of one peer
 * that are ready at once would be a tenth of a second in which no other message is read. Who is passed over comes first in one
 * of the next passes, since the selector has them in the same order each time.
 */
final class Turns {
    /** While there are other owners: longer, and the p99 of their messages more than doubles. */
    static final long PART_NANOS = 50_000;
    /** While there are none: shorter, and the selector, which is asked once for each pass, costs more than the turns. */
    static final long WHOLE_NANOS = 1_000_000;

    private long pass = -1;
    private long takenNanos;
    private int first;
    private int seen;
    private int served;

    /**
     * Whether the next ready channel has its turn in this pass; after it, {@link #took} is to be called.
     *
     * @param partNanos that all of this owner may take
     */
    boolean hasOne(long currentPass, long partNanos) {
        if (currentPass != pass) {
            first = served < seen ? (first + served) % seen : 0;
            pass = currentPass;
            takenNanos = 0;
            seen = 0;
            served = 0;
        }
        boolean has = seen >= first && takenNanos < partNanos;
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
