package org.berth.cli.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.berth.cli.shared.OutputFile;
import org.berth.cli.shared.Terminal;
import org.berth.experiments.ArmSummary;
import org.berth.experiments.Experiment;
import org.berth.experiments.ExperimentResult;
import org.berth.experiments.Metric;
import org.berth.experiments.Trial;
import org.berth.report.FigureSvg;
import org.berth.report.Quantity;

/**
 * Upload throughput over the number of clients, a curve for each policy: the figure, and the numbers of all runs below it.
 *
 * @param clients their numbers, as the job was told; a metric of the experiment belongs to each
 */
record ClientsFigure(ExperimentResult result, List<String> clients) {
    private static final String SVG = "clients.svg";
    private static final String CSV = "clients.csv";

    static ClientsFigure of(ExperimentResult result) {
        return new ClientsFigure(
                result, Job.clients(result.experiment().arms().get(0).command()));
    }

    void write(Terminal terminal, Path folder) {
        OutputFile.write(terminal, folder.resolve(SVG).toString(), "the figure", svg());
        OutputFile.write(terminal, folder.resolve(CSV).toString(), "the numbers of the figure", csv());
        terminal.out().println("Figure: " + folder.resolve(SVG) + ", its numbers: " + CSV);
    }

    String svg() {
        Experiment experiment = result.experiment();
        List<FigureSvg.Series> series = new ArrayList<>();
        for (ArmSummary arm : result.summary().arms()) {
            series.add(new FigureSvg.Series(
                    arm.arm(),
                    arm.metrics().stream().map(metric -> metric.values()).toList()));
        }
        String runs = result.summary().arms().stream()
                .map(arm -> arm.arm() + " " + arm.completed())
                .collect(Collectors.joining(", "));
        return new FigureSvg(
                        "Upload to HDFS: throughput over the number of clients",
                        List.of("Median, and from the smallest to the largest run (completed runs: " + runs + ")."),
                        List.of(new FigureSvg.Panel(
                                "All clients together, MB/s",
                                "clients at a time, each with a file of its own",
                                Quantity.of(experiment.metrics().get(0)),
                                clients,
                                series,
                                false)))
                .render();
    }

    /** A line for each number that a run printed, warm-ups left out. */
    String csv() {
        StringBuilder lines = new StringBuilder("policy,clients,round,mb_per_second\n");
        List<Metric> metrics = result.experiment().metrics();
        for (Trial trial : result.trials()) {
            for (int i = 0; i < metrics.size() && trial.counts(); i++) {
                OptionalDouble value = trial.metric(metrics.get(i).name());
                if (value.isPresent()) {
                    lines.append(String.format(
                            Locale.ROOT,
                            "%s,%s,%d,%.2f%n",
                            trial.arm(),
                            clients.get(i),
                            trial.run().round(),
                            value.getAsDouble()));
                }
            }
        }
        return lines.toString();
    }
}
