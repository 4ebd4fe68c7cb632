/** Draws which CPUs handle the interrupts of a device. It is no part of the API: Berth's own programs use it. */
@NullMarked
package org.berth.drawing.internal.interrupts;

import org.jspecify.annotations.NullMarked;
