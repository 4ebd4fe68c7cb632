/**
 * Trials inside a running job: arms take turns, and the times of the job's own tasks tell which is better. Pure: the caller has
 * the clock, and tells which tasks ran when.
 */
@NullMarked
package org.berth.experiments.turns;

import org.jspecify.annotations.NullMarked;
