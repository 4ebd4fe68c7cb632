/**
 * Chooses a core for one thread at a time by the interrupts of a disk and a network adapter and by the load, and spreads the interrupts
 * themselves over packages.
 */
@NullMarked
package org.berth.placement.dynamic;

import org.jspecify.annotations.NullMarked;
