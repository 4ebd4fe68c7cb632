/** Tests of where threads are on several nodes, cores and caches. */
@NullMarked
package org.berth.numavm.threads;

import org.jspecify.annotations.NullMarked;
