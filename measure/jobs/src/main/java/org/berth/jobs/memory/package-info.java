/** Measures bandwidth and latency between each place of threads and each place of memory, and prints the results as a matrix. */
@NullMarked
package org.berth.jobs.memory;

import org.jspecify.annotations.NullMarked;
