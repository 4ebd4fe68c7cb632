/**
 * Plans for processes, threads and memory. The package holds the request and the plan, the levels, and how tightly and in which order
 * threads take caches; everything is a pure function of a topology and a request. Read {@code PlacementRequest} and {@code
 * PlacementPlan} first.
 */
@NullMarked
package org.berth.placement;

import org.jspecify.annotations.NullMarked;
