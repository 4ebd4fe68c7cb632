/** Clusters the rows of a table of numbers on Spark by k-means. The table is read from a file and repeated to a useful size. */
@NullMarked
package org.berth.jobs.kmeans;

import org.jspecify.annotations.NullMarked;
