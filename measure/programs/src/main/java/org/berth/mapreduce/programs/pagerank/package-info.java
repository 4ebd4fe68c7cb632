/** PageRank over a directed graph. */
@NullMarked
package org.berth.mapreduce.programs.pagerank;

import org.jspecify.annotations.NullMarked;
