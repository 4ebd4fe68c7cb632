/**
 * Watches how busy each CPU is: a {@code LoadMonitor} reads {@code /proc/stat} in a thread of its own, and a
 * {@code LoadHistory} decides which CPUs count as idle. A {@code WaitSampler} reads how long threads of this process wait for a CPU. It is no part of the API: Berth's own programs use
 * it.
 */
@NullMarked
package org.berth.observation.internal.load;

import org.jspecify.annotations.NullMarked;
