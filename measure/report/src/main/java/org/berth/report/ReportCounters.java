package org.berth.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.berth.experiments.result.ArmMigrations;
import org.berth.experiments.result.ArmSummary;
import org.berth.experiments.result.ArmUsage;
import org.berth.experiments.statistics.Spread;
import org.berth.observation.threads.MigrationCount;
import org.berth.report.comparison.Quantity;
import org.berth.report.comparison.ReportText;
import org.berth.report.comparison.UsageTable;

/** What was counted of one arm, as lines of the report: medians per run, with their range. */
final class ReportCounters {
    private static final String AT_LEAST = "≥ ";
    private static final String MILLIONS = "MGTP";

    private ReportCounters() {}

    /** @param workers whether some threads were named as those that do the work; otherwise all are */
    static List<ReportFact> of(ArmSummary arm, boolean workers) {
        List<ReportFact> facts = new ArrayList<>();
        usage(facts, arm.usage());
        migrations(facts, workers ? ", all threads" : "", arm.migrations());
        if (workers) {
            migrations(facts, ", workers", arm.workerMigrations());
        }
        facts.add(new ReportFact(
                "Samples of running workers in place",
                arm.residency().share().isEmpty()
                        ? ReportText.NOTHING
                        : String.format(
                                Locale.ROOT,
                                "%.1f %% of %,d",
                                100 * arm.residency().share().getAsDouble(),
                                arm.residency().counted())));
        facts.add(new ReportFact("Runs that failed", Integer.toString(arm.failed())));
        facts.add(new ReportFact("Runs that timed out", Integer.toString(arm.timedOut())));
        return facts;
    }

    private static void usage(List<ReportFact> facts, ArmUsage usage) {
        add(facts, "CPU time in programs (user)", "", usage.userSeconds(), Quantity.WALL::spread);
        add(facts, "CPU time in the kernel (system)", "", usage.systemSeconds(), Quantity.WALL::spread);
        add(
                facts,
                "Peak memory of all its processes together",
                AT_LEAST,
                usage.treePeakRssBytes(),
                each(UsageTable::size));
        add(facts, "Peak memory of its largest process", "", usage.peakRssBytes(), each(UsageTable::size));
        add(facts, "Voluntary context switches (the program waits)", "", usage.voluntarySwitches());
        add(facts, "Involuntary context switches (the CPU goes to others)", "", usage.involuntarySwitches());
        add(facts, "Page faults without disk input (minor)", "", usage.minorFaults());
        add(facts, "Page faults with disk input (major)", "", usage.majorFaults());
        add(facts, "Memory on nodes not near its CPUs", "", usage.remoteShare(), each(UsageTable::percent));
        add(facts, "JVM heap in huge pages", "", usage.heapHugeShare(), each(UsageTable::percent));
        add(facts, "Pauses of the garbage collector", "", usage.gcPauseSeconds(), Quantity.WALL::spread);
        new TreeMap<>(usage.counters())
                .forEach((name, spread) -> add(
                        facts,
                        "perf: " + name,
                        "",
                        Optional.of(spread),
                        name.equals("task-clock") ? ReportCounters::nanos : each(ReportCounters::count)));
    }

    private static void migrations(List<ReportFact> facts, String whose, ArmMigrations moves) {
        String bound = moves.source() == MigrationCount.Source.SAMPLES ? AT_LEAST : "";
        add(facts, "Migrations between CPUs" + whose, bound, moves.betweenCpus());
        add(facts, "Migrations between cores" + whose, AT_LEAST, moves.betweenCores());
        add(facts, "Migrations between last-level caches" + whose, AT_LEAST, moves.betweenCaches());
        add(facts, "Migrations between packages" + whose, AT_LEAST, moves.betweenPackages());
        add(facts, "Migrations between NUMA nodes" + whose, AT_LEAST, moves.betweenNodes());
    }

    private static void add(List<ReportFact> facts, String label, String bound, Optional<Spread> spread) {
        add(facts, label, bound, spread, each(ReportCounters::count));
    }

    /** What no run of the arm has is left out; another arm may have it. */
    private static void add(
            List<ReportFact> facts,
            String label,
            String bound,
            Optional<Spread> spread,
            Function<Spread, String> format) {
        spread.ifPresent(one -> facts.add(new ReportFact(label, bound + format.apply(one))));
    }

    /** The median, and the range in brackets where there is one; each number with its unit. */
    private static Function<Spread, String> each(DoubleFunction<String> format) {
        return one -> format.apply(one.median())
                + (one.min() == one.max()
                        ? ""
                        : " (" + format.apply(one.min()) + " to " + format.apply(one.max()) + ")");
    }

    private static String nanos(Spread nanos) {
        return Quantity.WALL.spread(new Spread(
                nanos.count(), nanos.median() / 1e9, nanos.min() / 1e9, nanos.max() / 1e9, nanos.variation()));
    }

    /** Events are counted in billions; trials.csv has each digit. */
    static String count(double number) {
        if (number < 1e6) {
            return Quantity.count(number);
        }
        double scaled = number / 1e6;
        int unit = 0;
        // What rounds to 1000 is the next unit's 1.
        while (scaled >= 999.5 && unit < MILLIONS.length() - 1) {
            scaled /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, "%.3g\u202f%c", scaled, MILLIONS.charAt(unit));
    }
}
