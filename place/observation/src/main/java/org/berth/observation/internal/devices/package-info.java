/**
 * Finds the disks and network adapters behind a file or a network peer, their queues and interrupts, and the
 * CPUs that handle these. Read {@code DeviceTrace} and {@code InterruptMap} first. It is no part of the API:
 * Berth's own programs use it.
 */
@NullMarked
package org.berth.observation.internal.devices;

import org.jspecify.annotations.NullMarked;
