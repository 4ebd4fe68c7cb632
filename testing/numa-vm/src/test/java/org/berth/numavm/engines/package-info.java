/** Tests of Spark and the MapReduce engine on several nodes. */
@NullMarked
package org.berth.numavm.engines;

import org.jspecify.annotations.NullMarked;
