/** Holds the bits of a finite or infinite set of numbers, the builder that collects them, and their text. */
@NullMarked
package org.berth.topology.internal.bits;

import org.jspecify.annotations.NullMarked;
