/**
 * Finds the disks and network adapters behind a file or a network peer, their queues and interrupts, and the CPUs that handle these.
 * Read {@code DeviceTrace} and {@code InterruptMap} first.
 */
@NullMarked
package org.berth.observation.devices;

import org.jspecify.annotations.NullMarked;
