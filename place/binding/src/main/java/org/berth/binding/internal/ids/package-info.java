/**
 * Identifies Java threads by the kernel's thread ids, and processes by their PID and start time, because PIDs are used again. It is no
 * part of the API.
 */
@NullMarked
package org.berth.binding.internal.ids;

import org.jspecify.annotations.NullMarked;
