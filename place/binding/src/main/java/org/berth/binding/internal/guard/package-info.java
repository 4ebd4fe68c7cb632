/** Widens the slots of threads while they cost more than they gain. */
@NullMarked
package org.berth.binding.internal.guard;

import org.jspecify.annotations.NullMarked;
