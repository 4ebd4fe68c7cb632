/** Real clusters of processes on loopback, for tests and for jobs that measure. */
@NullMarked
package org.berth.cluster;

import org.jspecify.annotations.NullMarked;
