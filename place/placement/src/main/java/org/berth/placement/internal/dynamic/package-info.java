/**
 * Chooses a core for one thread at a time by the interrupts of a disk and a network adapter and by the load,
 * and spreads the interrupts themselves over packages. It is no part of the API: Berth's own programs use it.
 */
@NullMarked
package org.berth.placement.internal.dynamic;

import org.jspecify.annotations.NullMarked;
