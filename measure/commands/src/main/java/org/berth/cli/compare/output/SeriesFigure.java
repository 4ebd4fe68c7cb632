package org.berth.cli.compare.output;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.berth.cli.shared.OutputFile;
import org.berth.cli.shared.Terminal;
import org.berth.experiments.Metric;
import org.berth.experiments.Trial;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.statistics.Spread;
import org.berth.report.FigureSvg;
import org.berth.report.comparison.Quantity;
import org.berth.text.Words;

/**
 * Numbers over the values of an option, such as clients or sizes of messages: the figure, and the numbers of all runs. The metrics
 * of the experiment are called {@code NUMBER-PLACE}.
 *
 * @param name of the files
 * @param across what the places are
 */
public record SeriesFigure(ExperimentResult result, String name, String title, String across) {
    /** Bars that are lower than this part of the highest one go to a panel of their own, where they can be compared. */
    private static final double LOWEST_SHARE = 0.15;

    public void write(Terminal terminal, Path folder) {
        String svg = name + ".svg";
        String csv = name + ".csv";
        OutputFile.write(terminal, folder.resolve(svg).toString(), "the figure", figure().render());
        OutputFile.write(terminal, folder.resolve(csv).toString(), "the numbers of the figure", csv());
        terminal.out().println("Figure: " + folder.resolve(svg) + ", its numbers: " + csv);
    }

    public FigureSvg figure() {
        List<FigureSvg.Panel> panels = new ArrayList<>();
        numbers().forEach((number, metrics) -> panels.addAll(panels(number, metrics)));
        return new FigureSvg(Words.capital(title), remarks(), panels);
    }

    /** Short lines, as the arms of a comparison may be many. */
    private List<String> remarks() {
        List<String> lines = new ArrayList<>();
        lines.add("Median, and from the smallest to the largest run.");
        List<ArmSummary> arms = result.summary().arms();
        if (arms.stream().map(ArmSummary::completed).distinct().count() == 1) {
            lines.add("Completed runs of each: " + arms.get(0).completed() + ".");
        } else {
            arms.forEach(arm -> lines.add("Completed runs of " + arm.arm() + ": " + arm.completed() + "."));
        }
        return lines;
    }

    /** @param metric its index */
    private record Place(String name, int metric) {}

    /** The places that have a metric of this name, by the name. */
    private Map<String, List<Place>> numbers() {
        Map<String, List<Place>> all = new LinkedHashMap<>();
        List<Metric> metrics = result.experiment().metrics();
        for (int i = 0; i < metrics.size(); i++) {
            String metric = metrics.get(i).name();
            int hyphen = metric.lastIndexOf('-');
            all.computeIfAbsent(metric.substring(0, Math.max(0, hyphen)), one -> new ArrayList<>())
                    .add(new Place(metric.substring(hyphen + 1), i));
        }
        return all;
    }

    private List<FigureSvg.Panel> panels(String number, List<Place> places) {
        Metric first = result.experiment().metrics().get(places.get(0).metric());
        Quantity quantity = new Quantity(number, first.unit(), first.better() == Metric.Better.HIGHER);
        List<FigureSvg.Panel> panels = new ArrayList<>();
        List<Place> together = new ArrayList<>();
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (Place place : places) {
            double median = largestMedian(place.metric());
            if (!quantity.higherIsBetter()
                    && !together.isEmpty()
                    && Math.min(least, median) < LOWEST_SHARE * Math.max(most, median)) {
                panels.add(panel(quantity, together));
                together = new ArrayList<>();
                least = Double.POSITIVE_INFINITY;
                most = 0;
            }
            together.add(place);
            least = Math.min(least, median);
            most = Math.max(most, median);
        }
        panels.add(panel(quantity, together));
        return panels;
    }

    private double largestMedian(int metric) {
        return result.summary().arms().stream()
                .flatMap(arm -> arm.metrics().get(metric).values().stream())
                .mapToDouble(Spread::median)
                .max()
                .orElse(0);
    }

    private FigureSvg.Panel panel(Quantity quantity, List<Place> places) {
        List<FigureSvg.Series> series = new ArrayList<>();
        for (ArmSummary arm : result.summary().arms()) {
            List<Optional<Spread>> points = places.stream()
                    .map(place -> arm.metrics().get(place.metric()).values())
                    .toList();
            series.add(new FigureSvg.Series(arm.arm(), points));
        }
        return new FigureSvg.Panel(
                quantity.name() + ", " + quantity.unit(),
                across,
                quantity,
                places.stream().map(Place::name).toList(),
                series,
                !quantity.higherIsBetter());
    }

    /** A line for each number that a run printed, warm-ups left out. */
    String csv() {
        StringBuilder lines = new StringBuilder("arm,metric,unit,round,value\n");
        List<Metric> metrics = result.experiment().metrics();
        for (Trial trial : result.trials()) {
            for (int i = 0; i < metrics.size() && trial.counts(); i++) {
                OptionalDouble value = trial.metric(metrics.get(i).name());
                if (value.isPresent()) {
                    lines.append(String.format(
                            Locale.ROOT,
                            "%s,%s,%s,%d,%.2f%n",
                            trial.arm(),
                            metrics.get(i).name(),
                            metrics.get(i).unit(),
                            trial.run().round(),
                            value.getAsDouble()));
                }
            }
        }
        return lines.toString();
    }
}
