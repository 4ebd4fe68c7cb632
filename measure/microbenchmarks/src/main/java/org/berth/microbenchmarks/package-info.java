/**
 * JMH benchmarks of Berth and its peers. A benchmark method is named by the operation and the library that does it:
 * {@code unionBerth}, {@code unionHwloc} and {@code unionBitSet}. {@link org.berth.microbenchmarks.BenchmarkMain} runs them in
 * rounds and prints the ratios.
 */
@NullMarked
package org.berth.microbenchmarks;

import org.jspecify.annotations.NullMarked;
