package org.berth.cli.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.berth.experiments.statistics.Spread;
import org.berth.probes.ProbeSample;
import org.berth.report.FigureSvg;
import org.berth.report.comparison.Quantity;
import org.berth.text.TextTable;
import org.berth.text.WordWrap;
import org.berth.text.Words;

/** Results of probes for people, and as files. Pure functions. */
public final class ProbeText {
    private ProbeText() {}

    public static String table(ProbeResult result, int columns) {
        StringBuilder out = new StringBuilder();
        WordWrap.append(
                out,
                "",
                Words.capital(result.device()) + ": " + result.what() + ". Reference: " + result.reference() + ".",
                columns);
        TextTable table = TextTable.ofNumbers().row("CLASS", "CORE", "RUNS", "MB/S (MIN-MAX)", "CPU MS (MIN-MAX)");
        for (ProbeClass one : result.classes()) {
            if (one.core().isPresent()) {
                Optional<Spread> rates = one.rates(result.samples());
                table.row(
                        one.kind().label(),
                        core(one),
                        Integer.toString(rates.map(Spread::count).orElse(0)),
                        spread(rates),
                        spread(one.cpuMillis(result.samples())));
            }
        }
        table.lines().forEach(line -> out.append(line).append('\n'));
        for (ProbeClass one : result.classes()) {
            if (one.core().isEmpty()) {
                WordWrap.append(out, one.kind().label() + "   ", "not probed: " + one.reason(), columns);
            }
        }
        result.notes().forEach(note -> WordWrap.append(out, "Note: ", note, columns));
        return out.toString();
    }

    /** "core L#1 (CPU 1)". */
    static String core(ProbeClass one) {
        return one.core()
                .map(core -> core.label() + " (CPU " + core.cpus() + ")")
                .orElse("-");
    }

    private static String spread(Optional<Spread> spread) {
        return spread.map(one -> Quantity.number(one.median()) + " (" + Quantity.number(one.min()) + "-"
                        + Quantity.number(one.max()) + ")")
                .orElse("-");
    }

    /** A bar for each class, as the paper draws them. */
    public static String svg(List<ProbeResult> results) {
        List<FigureSvg.Panel> panels = new ArrayList<>();
        for (ProbeResult result : results) {
            panels.add(new FigureSvg.Panel(
                    Words.capital(result.device()) + ", MB/s",
                    "cores by their distance from the one that handles its interrupts",
                    ProbeResult.RATE,
                    result.classes().stream().map(one -> one.kind().label()).toList(),
                    List.of(new FigureSvg.Series(
                            result.device(),
                            result.classes().stream()
                                    .map(one -> one.rates(result.samples()))
                                    .toList())),
                    true));
        }
        List<String> lines =
                new ArrayList<>(List.of("Bar: median. Thin line: from the smallest to the largest sample."));
        results.forEach(
                result -> lines.add(Words.shorten(Words.capital(result.device()) + ": " + result.reference(), 100)));
        return new FigureSvg("One thread, one message after the other, by class of core", lines, panels).render();
    }

    /** A line for each sample. */
    public static String csv(List<ProbeResult> results) {
        StringBuilder lines = new StringBuilder("device,class,cpus,round,mb_per_second,cpu_seconds,last_cpu\n");
        for (ProbeResult result : results) {
            for (ProbeSample sample : result.samples()) {
                lines.append(result.device())
                        .append(',')
                        .append(sample.place())
                        .append(",\"")
                        .append(cpus(result, sample))
                        .append("\",")
                        .append(sample.round())
                        .append(',')
                        .append(String.format(
                                Locale.ROOT, "%.2f,%.6f", sample.megabytesPerSecond(), sample.cpuSeconds()))
                        .append(',')
                        .append(sample.lastCpu())
                        .append('\n');
            }
        }
        return lines.toString();
    }

    private static String cpus(ProbeResult result, ProbeSample sample) {
        return result.classes().stream()
                .filter(one -> one.kind().name().equals(sample.place()))
                .flatMap(one -> one.core().stream())
                .map(core -> core.cpus().toString())
                .findFirst()
                .orElse("");
    }
}
