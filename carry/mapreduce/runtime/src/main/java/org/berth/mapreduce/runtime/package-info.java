/** Runtime of MapReduce tasks without a driver: sort, combiner, blocks in memory, spill and merge. */
@NullMarked
package org.berth.mapreduce.runtime;

import org.jspecify.annotations.NullMarked;
