/**
 * Estimates, intervals and tests for a few paired numbers. Pure functions that know nothing of experiments.
 *
 * <p>{@link org.berth.experiments.statistics.Spread} describes the numbers of one arm,
 * {@link org.berth.experiments.statistics.Ratio} compares two arms,
 * {@link org.berth.experiments.statistics.InterimLooks} corrects for interim looks and
 * {@link org.berth.experiments.statistics.Power} says which difference could be found.
 */
@NullMarked
package org.berth.experiments.statistics;

import org.jspecify.annotations.NullMarked;
