package org.apache.hadoop.mapred;

import org.apache.hadoop.mapreduce.ReduceContext;
import org.jspecify.annotations.NullMarked;

/** A context that counts in batches. */
@NullMarked
public interface CountingReduceContext<K, V, L, W> extends ReduceContext<K, V, L, W> {
    /** Passes on what was counted since the last report; a reducer need not read all records. */
    void end();
}
