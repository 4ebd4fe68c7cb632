package org.berth.mapreduce.programs.correction;

import org.apache.hadoop.io.GenericWritable;
import org.apache.hadoop.io.Writable;
import org.berth.mapreduce.programs.reads.Fragment;

/** A read, or what a stack says about it. */
final class ReadPart extends GenericWritable {
    /** For Hadoop. */
    ReadPart() {}

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    protected Class<? extends Writable>[] getTypes() {
        return new Class[] {Fragment.class, Proposal.class};
    }
}
