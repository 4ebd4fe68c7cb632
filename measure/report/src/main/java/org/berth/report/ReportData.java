package org.berth.report;

import java.util.List;
import java.util.Optional;
import org.berth.experiments.trial.RunTimeline;
import org.berth.topology.Topology;

/**
 * All that the report shows. Immutable; the report is a pure function of it.
 *
 * @param title what was run
 * @param written when, as a reader should see it
 * @param decision what stands first
 * @param verdict a sentence for each arm
 * @param scope what they hold for
 * @param remarks what the runs have in common
 * @param arms the first one is the baseline
 * @param measures what is compared, the most important first
 * @param notRun levels and arms that were not run, with the reason
 * @param missing counters that are not there, with the reason
 * @param topology the machine
 * @param timelines of one run of each arm, where there is one
 * @param environment what the machine was like
 * @param folder where raw results are
 * @param figure that a job of several places has, such as sizes of messages
 */
public record ReportData(
        String title,
        String written,
        ReportDecision decision,
        List<String> verdict,
        List<String> scope,
        List<String> remarks,
        List<ReportArm> arms,
        List<ReportMeasure> measures,
        List<String> notRun,
        List<String> missing,
        Topology topology,
        List<RunTimeline> timelines,
        List<ReportFact> environment,
        String folder,
        Optional<FigureSvg> figure) {
    public ReportData {
        verdict = List.copyOf(verdict);
        scope = List.copyOf(scope);
        remarks = List.copyOf(remarks);
        arms = List.copyOf(arms);
        measures = List.copyOf(measures);
        notRun = List.copyOf(notRun);
        missing = List.copyOf(missing);
        timelines = List.copyOf(timelines);
        environment = List.copyOf(environment);
    }

    /** The same with a figure. */
    public ReportData withFigure(Optional<FigureSvg> added) {
        return new ReportData(
                title,
                written,
                decision,
                verdict,
                scope,
                remarks,
                arms,
                measures,
                notRun,
                missing,
                topology,
                timelines,
                environment,
                folder,
                added);
    }

    /** What verdicts are about. */
    List<ReportMeasure> judged() {
        return measures.stream().filter(ReportMeasure::judged).toList();
    }

    ReportArm baseline() {
        return arms.get(0);
    }
}
