/**
 * Watches how busy each CPU is: a {@code LoadMonitor} reads {@code /proc/stat} in a thread of its own, and a {@code LoadHistory}
 * decides which CPUs count as idle.
 */
@NullMarked
package org.berth.observation.load;

import org.jspecify.annotations.NullMarked;
