package org.berth.mapreduce.runtime.sort;

import org.apache.hadoop.mapred.RawKeyValueIterator;

/** Sorted records that know how a key relates to the former one, so that most keys need not be compared to be grouped. */
public interface RecordSource extends RawKeyValueIterator {
    /** How the key of a record relates to that of the record before it. */
    enum Relation {
        /** The bytes are the same. */
        IDENTICAL,
        /** The comparator by which the records are sorted calls the keys equal. */
        EQUAL,
        /** The same comparator calls them different. */
        DIFFERENT,
        /** The keys must be compared. */
        UNKNOWN
    }

    /** Returns the relation of the current record to the one before; valid after the second call of {@link #next}. */
    Relation relation();

    /** Returns whether the bytes of the current key stay as they are while later records are read. */
    boolean keyStays();
}
