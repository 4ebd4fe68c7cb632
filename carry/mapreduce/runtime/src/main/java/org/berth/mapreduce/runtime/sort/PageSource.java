package org.berth.mapreduce.runtime.sort;

/** The source of the pages of a {@link RecordOutput}. */
public interface PageSource {
    int pageBytes();

    /** A page of the pool, or a larger one for a record that fits into none. */
    Page lease(int atLeast);

    void giveBack(Page page);
}
