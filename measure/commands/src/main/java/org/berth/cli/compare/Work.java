package org.berth.cli.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.Supplier;
import org.berth.cli.compare.arms.CompareArms;
import org.berth.cli.compare.arms.CompareFolder;
import org.berth.cli.compare.arms.PreparedComparison;
import org.berth.cli.compare.output.SeriesFigure;
import org.berth.experiments.result.ExperimentResult;
import org.berth.topology.Topology;

/** Work whose arms are compared: a command of the user, or a job of {@code bench}. Its options are checked when it is made. */
public interface Work {
    /** The arms that this machine can tell apart; a failure when there is nothing to compare. */
    CompareArms arms(Topology topology);

    /**
     * The experiment, ready to run.
     *
     * @param arms those of {@link #arms}
     * @param folder makes the folder for results; called once the work itself is known to start
     * @param rounds runs of each arm that count
     * @param err where progress goes
     */
    PreparedComparison comparison(
            Topology topology, CompareArms arms, Supplier<CompareFolder> folder, int rounds, PrintWriter err)
            throws IOException, InterruptedException;

    /** The figure of this kind of work, for the report and for files of its own. */
    default Optional<SeriesFigure> figure(ExperimentResult result) {
        return Optional.empty();
    }
}
