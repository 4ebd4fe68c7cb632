/** K-Means by Lloyd's algorithm over rows of numbers. */
@NullMarked
package org.berth.mapreduce.programs.kmeans;

import org.jspecify.annotations.NullMarked;
