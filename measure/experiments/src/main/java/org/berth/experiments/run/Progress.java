package org.berth.experiments.run;

import java.time.Duration;
import java.util.List;
import org.berth.experiments.Arm;
import org.berth.experiments.ScheduledRun;
import org.berth.experiments.Trial;
import org.berth.experiments.result.StoppingRule;

/** Receives the events of an experiment while it runs, on the thread that runs it. */
public interface Progress {
    /** Ignores all events. */
    Progress NONE = new Progress() {};

    /** A line for the user on which no number depends, such as a part of the results that is missing. */
    default void noted(String line) {}

    /** A run begins; there will be {@code runs} runs in all. */
    default void started(ScheduledRun run, Arm arm, int runs) {}

    /** The warm-ups have ended, and this number of rounds follows, fewer than the experiment may have or as many. */
    default void fitted(int rounds) {}

    /** A run ended, well or not. */
    default void finished(Trial trial) {}

    /** A run is over with all that surrounds it, the pause before it and the commands around it included. */
    default void passed(ScheduledRun run, Arm arm, Duration duration) {}

    /**
     * A round ended, or the warm-ups did, and another one follows.
     *
     * @param round 0 for the warm-ups
     * @param trials all so far
     * @param left the time until the end; with a rule, the maximum
     */
    default void ended(int round, List<Trial> trials, Duration left) {}

    /** A round ended, and a rule says whether the experiment goes on. */
    default void decided(StoppingRule.Decision decision) {}
}
