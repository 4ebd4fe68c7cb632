/** Hadoop's examples written by hand on Spark's RDDs, with equal output. */
@NullMarked
package org.berth.examples.spark;

import org.jspecify.annotations.NullMarked;
