/**
 * Adds up samples of threads: how often they moved between CPUs, caches and nodes, on which CPUs they ran over time, and how often they
 * were on their slots. A pattern selects threads by their names.
 */
@NullMarked
package org.berth.observation.threads;

import org.jspecify.annotations.NullMarked;
