/**
 * Finds the best of many arms in few runs: heats of successive halving, then fresh runs of the winner and the baseline.
 *
 * <p>{@link org.berth.experiments.race.RacePlan} and {@link org.berth.experiments.race.Race} decide and are pure,
 * {@link org.berth.experiments.race.RaceRunner} runs each heat as an experiment of its own.
 */
@NullMarked
package org.berth.experiments.race;

import org.jspecify.annotations.NullMarked;
