/**
 * Reads what the kernel itself does about where threads run and where pages lie: its settings, NUMA
 * balancing, cache-aware scheduling, sched_ext, huge pages, and the free memory of nodes. It is no part of
 * the API: Berth's own programs use it.
 */
@NullMarked
package org.berth.observation.internal.kernel;

import org.jspecify.annotations.NullMarked;
