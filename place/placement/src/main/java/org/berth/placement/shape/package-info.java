/** Cuts a host into parts, one for each process, with the CPUs, memory nodes, memory and heap of each part. */
@NullMarked
package org.berth.placement.shape;

import org.jspecify.annotations.NullMarked;
