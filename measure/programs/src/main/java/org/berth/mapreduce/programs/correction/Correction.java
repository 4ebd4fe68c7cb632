package org.berth.mapreduce.programs.correction;

/** Counters of the program. */
enum Correction {
    /** Stacks with enough reads to vote. */
    STACKS,
    /** Stacks of which only a sample of the reads voted. */
    SAMPLED_STACKS,
    /** Reads that a stack found too different to judge. */
    FOREIGN_READS,
    /** Bases that stacks did not agree on; they stay as they are. */
    CONTESTED_BASES,
    /** Bases that were changed. */
    CHANGED_BASES,
    /** Reads with changed bases, in this round. */
    CHANGED_READS
}
