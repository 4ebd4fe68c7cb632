/**
 * Finds on which NUMA nodes the memory of a process lies, and where the heap of a HotSpot JVM is within it. It also tells the size of a
 * page and the memory policy that this process inherited.
 */
@NullMarked
package org.berth.observation.memory;

import org.jspecify.annotations.NullMarked;
