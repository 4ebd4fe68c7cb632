/** Graphs as text, as a folder of adjacency lists that jobs read again and again, and values for each node next to them. */
@NullMarked
package org.berth.mapreduce.programs.graph;

import org.jspecify.annotations.NullMarked;
