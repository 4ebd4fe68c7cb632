/** Slots that cost more than they gain: {@code SlotGuard} decides how wide they are, {@code SlotWidths} has the CPUs. */
@NullMarked
package org.berth.placement.internal.guard;

import org.jspecify.annotations.NullMarked;
