package org.berth.mapreduce.runtime;

/** Where the pages of a {@link RecordOutput} come from. */
interface PageSource {
    int pageBytes();

    /** A page of the pool, or a larger one for a record that fits into none. */
    Page lease(int atLeast);

    void giveBack(Page page);
}
