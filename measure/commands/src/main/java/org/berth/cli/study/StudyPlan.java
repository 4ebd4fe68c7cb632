package org.berth.cli.study;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.berth.experiments.Experiment;
import org.berth.report.study.Study;
import org.berth.topology.Topology;

/** What a study runs. Its options are checked when it is made. */
interface StudyPlan {
    /** The title of the report, such as "affinity of MapReduce workloads". */
    String title();

    /** Runs of each arm unless the user gives a number. */
    int runs();

    /**
     * Makes what the runs need, and finds the arms that this machine can tell apart; a failure when there is nothing to
     * compare.
     *
     * @param folder of the study, which exists
     * @param err where progress goes
     */
    List<StudyPart> parts(Topology topology, Path folder, PrintWriter err) throws IOException, InterruptedException;

    /** The experiment of a part or of the pilot runs, with what this study measures in every run. */
    default Experiment measured(Experiment experiment) {
        return experiment;
    }

    /** What holds for the whole study, once its parts are known, a sentence each. */
    List<String> remarks(Topology topology);

    /** Tables and figures of this kind of study. */
    default List<Study.Section> sections(List<Study.Part> done) {
        return List.of();
    }
}
