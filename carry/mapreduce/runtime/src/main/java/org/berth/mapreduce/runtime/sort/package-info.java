/**
 * Sorts the records of a map in memory: pages from a bounded pool, the index and the key prefixes that are sorted, and the chains of
 * values that share a key.
 */
@NullMarked
package org.berth.mapreduce.runtime.sort;

import org.jspecify.annotations.NullMarked;
