/**
 * Keeps the sorted output of maps as segments in memory or in spill files, sends and receives them in pieces, and merges them for a
 * reduce.
 */
@NullMarked
package org.berth.mapreduce.runtime.blocks;

import org.jspecify.annotations.NullMarked;
