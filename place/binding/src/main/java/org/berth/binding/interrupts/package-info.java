/** Moves the interrupts of devices to other CPUs and back, and keeps what was there before in a file. */
@NullMarked
package org.berth.binding.interrupts;

import org.jspecify.annotations.NullMarked;
