package org.berth.cli;

import java.util.List;
import org.berth.experiments.RunTimeline;
import org.berth.topology.Topology;

/**
 * All that the report shows. Immutable; the report is a pure function of it.
 *
 * @param title what was run
 * @param written when, as a reader should see it
 * @param measure what is compared, "wall time" or "job time"; in seconds
 * @param verdict sentences that stand first
 * @param remarks what makes the numbers doubtful, or does not
 * @param arms the first one is the baseline
 * @param same levels that were not run, with the reason
 * @param points all runs in the order of time
 * @param topology the machine
 * @param timelines of one run of each arm, where there is one
 * @param environment what the machine was like
 * @param folder where raw results are
 */
record ReportData(
        String title,
        String written,
        String measure,
        List<String> verdict,
        List<String> remarks,
        List<ReportArm> arms,
        List<String> same,
        List<ReportPoint> points,
        Topology topology,
        List<RunTimeline> timelines,
        List<ReportFact> environment,
        String folder) {
    ReportData {
        verdict = List.copyOf(verdict);
        remarks = List.copyOf(remarks);
        arms = List.copyOf(arms);
        same = List.copyOf(same);
        points = List.copyOf(points);
        timelines = List.copyOf(timelines);
        environment = List.copyOf(environment);
    }

    ReportArm baseline() {
        return arms.get(0);
    }
}
