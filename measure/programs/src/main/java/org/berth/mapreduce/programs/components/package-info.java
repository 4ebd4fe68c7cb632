/** Connected components of an undirected graph. */
@NullMarked
package org.berth.mapreduce.programs.components;

import org.jspecify.annotations.NullMarked;
