package org.berth.mapreduce.programs.duplicates;

/** Counters of the program. */
enum Duplicate {
    /** Fragments in all. */
    FRAGMENTS,
    /** Clusters of fragments with the same first bases. */
    CLUSTERS,
    /** Fragments that are equal to a better one. */
    EXACT,
    /** Fragments that have at most the allowed mismatches with a better one. */
    NEAR,
    /** Further rounds through clusters whose kept fragments exceed the memory. */
    FURTHER_ROUNDS
}
