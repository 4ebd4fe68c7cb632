/** Tests of places near devices, and of their interrupts. */
@NullMarked
package org.berth.numavm.devices;

import org.jspecify.annotations.NullMarked;
