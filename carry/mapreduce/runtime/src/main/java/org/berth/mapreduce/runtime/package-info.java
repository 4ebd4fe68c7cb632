/**
 * Runs map and reduce tasks without a driver. A map collects its records into sorted blocks, a combiner shrinks them, and a reduce
 * reads them in groups of equal keys.
 */
@NullMarked
package org.berth.mapreduce.runtime;

import org.jspecify.annotations.NullMarked;
