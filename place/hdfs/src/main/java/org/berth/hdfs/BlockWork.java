package org.berth.hdfs;

/** Why a thread works on a volume. */
enum BlockWork {
    /** A new block, or a copy of one, arrives. */
    RECEIVE("receive"),
    /** More data for a block that is there already: append, or recovery of a pipeline. */
    CONTINUE("continue"),
    /** A block is read. */
    SEND("send");

    private final String word;

    BlockWork(String word) {
        this.word = word;
    }

    /** The word of the decision log. */
    String word() {
        return word;
    }
}
