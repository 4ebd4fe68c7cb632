/**
 * Moves the interrupts of devices to other CPUs and back, and keeps what was there before in a file. It is no
 * part of the API: Berth's own programs use it.
 */
@NullMarked
package org.berth.binding.internal.interrupts;

import org.jspecify.annotations.NullMarked;
