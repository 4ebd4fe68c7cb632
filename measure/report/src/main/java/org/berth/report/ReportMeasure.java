package org.berth.report;

import java.util.List;
import java.util.Optional;
import org.berth.experiments.statistics.Ratio;
import org.berth.experiments.statistics.Spread;
import org.berth.report.comparison.Quantity;

/**
 * One number that is compared, arm by arm.
 *
 * @param quantity what it is
 * @param judged whether a verdict is about it, so that it is drawn
 * @param spreads of the completed runs of each arm
 * @param ratios of each arm to the first one
 * @param points all runs in the order of time
 */
record ReportMeasure(
        Quantity quantity,
        boolean judged,
        List<Optional<Spread>> spreads,
        List<Optional<Ratio>> ratios,
        List<ReportPoint> points) {
    ReportMeasure {
        spreads = List.copyOf(spreads);
        ratios = List.copyOf(ratios);
        points = List.copyOf(points);
    }
}
