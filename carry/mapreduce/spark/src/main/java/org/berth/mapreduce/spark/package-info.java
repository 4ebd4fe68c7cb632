/** Tasks of unmodified Hadoop jobs as tasks of Spark: {@code berth.mapreduce.engine=spark}. */
@NullMarked
package org.berth.mapreduce.spark;

import org.jspecify.annotations.NullMarked;
