/**
 * JMH benchmarks of Berth beside its peers. A benchmark method is named by the operation and who does it:
 * {@code unionBerth} beside {@code unionHwloc} and {@code unionBitSet}. {@link org.berth.microbenchmarks.Main} runs them in
 * rounds and prints the ratios.
 */
@NullMarked
package org.berth.microbenchmarks;

import org.jspecify.annotations.NullMarked;
