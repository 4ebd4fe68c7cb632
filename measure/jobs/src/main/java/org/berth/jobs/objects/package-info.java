/** Runs threads that allocate records or serialise graphs of objects, without an engine, to compare collectors and placements. */
@NullMarked
package org.berth.jobs.objects;

import org.jspecify.annotations.NullMarked;
