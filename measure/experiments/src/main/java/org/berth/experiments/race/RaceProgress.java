package org.berth.experiments.race;

import org.berth.experiments.Experiment;
import org.berth.experiments.run.Progress;

/** Receives the events of a race while it runs, on the thread that runs it. */
public interface RaceProgress extends Progress {
    /** The warm-up is over, the plan is made; {@code fit} has the arms that completed it. */
    default void planned(RacePlan plan, Experiment fit) {}

    /** The runs of a heat, of the warm-up or of the confirmation begin; {@code stage} is the name of its folder. */
    default void begins(String stage, Experiment part) {}

    /** A heat is over. */
    default void ended(Race race) {}
}
