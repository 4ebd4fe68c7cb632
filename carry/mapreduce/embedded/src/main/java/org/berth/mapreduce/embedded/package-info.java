/** Unmodified Hadoop jobs inside the client's JVM: {@code berth.mapreduce.engine=embedded}, the default. */
@NullMarked
package org.berth.mapreduce.embedded;

import org.jspecify.annotations.NullMarked;
