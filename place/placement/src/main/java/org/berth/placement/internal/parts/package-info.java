/** Holds the parts of a machine that policies choose from: a core, a domain and the choice of CPUs. */
@NullMarked
package org.berth.placement.internal.parts;

import org.jspecify.annotations.NullMarked;
