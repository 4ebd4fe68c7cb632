/** Holds the bits of a finite or infinite set of numbers, and the builder that collects them. */
@NullMarked
package org.berth.topology.internal.bits;

import org.jspecify.annotations.NullMarked;
