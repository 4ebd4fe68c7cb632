/**
 * Cuts a host into parts, one for each process, with the CPUs, memory nodes, memory and heap of each part. It
 * is no part of the API: Berth's own programs use it.
 */
@NullMarked
package org.berth.placement.internal.shape;

import org.jspecify.annotations.NullMarked;
