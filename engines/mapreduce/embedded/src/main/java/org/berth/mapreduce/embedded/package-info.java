/** Unmodified Hadoop jobs inside the client's JVM: {@code mapreduce.framework.name=berth}. */
@NullMarked
package org.berth.mapreduce.embedded;

import org.jspecify.annotations.NullMarked;
