package org.berth.shuffle.client;

/** The destination of the parts of a request's blocks. Called by one thread at a time. */
interface BlockSink {
    /** Whether it reads the bytes later, whatever memory that takes of the pool. */
    boolean isSlow();

    /**
     * Takes the next part of a block, and passes on the block when it is whole.
     *
     * @param name the block's
     * @param part to be released by the sink
     */
    void take(String name, Part part, boolean isLast);

    /** Forgets the blocks that are not whole; no call follows. */
    void discard();
}
