package org.berth.experiments;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.berth.experiments.SimulatedRates.Rate;

/** Simulates {@link SimulatedRates} and prints them as tables: REPETITIONS SEED [PART-OF-A-TITLE]. Exit code 1: one is above what is stated. */
final class Simulate {
    /** Four standard errors of a normal distribution. There are some hundred numbers. */
    private static final double CHANCE = 3e-5;

    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private Simulate() {}

    public static void main(String[] arguments) {
        int repetitions = Integer.parseInt(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        String part = arguments.length > 2 ? arguments[2].toLowerCase(Locale.ROOT) : "";
        List<Rate> rates = SimulatedRates.all().stream()
                .filter(rate -> rate.table().toLowerCase(Locale.ROOT).contains(part))
                .toList();
        if (rates.isEmpty()) {
            System.err.println("berth: no title of a table contains '" + part + "'");
            System.exit(2);
        }
        AtomicInteger done = new AtomicInteger();
        Map<Rate, Double> means = new LinkedHashMap<>();
        List<Double> values = rates.parallelStream()
                .map(rate -> {
                    double mean = mean(rate, repetitions, seed);
                    int count = done.incrementAndGet();
                    if (count % 20 == 0 || count == rates.size()) {
                        System.err.println("berth: simulated " + count + " of " + rates.size() + " numbers");
                    }
                    return mean;
                })
                .toList();
        for (int i = 0; i < rates.size(); i++) {
            means.put(rates.get(i), values.get(i));
        }
        print(System.out, means);
        System.out.println();
        System.out.println(repetitions + " repetitions of each, seed " + seed + ".");
        List<Rate> above = above(means, repetitions, CHANCE);
        above.forEach(rate -> System.out.printf(
                Locale.ROOT,
                "Above what is stated (%.1f %%): %s: %s, %s: %.1f %%%n",
                100 * rate.stated(),
                rate.table(),
                rate.row(),
                rate.column(),
                100 * means.getOrDefault(rate, 0.0)));
        System.exit(above.isEmpty() ? 0 : 1);
    }

    /** The mean over experiments whose seeds follow from the seed, the same for all numbers of a row: they are about the same runs. */
    static double mean(Rate rate, int repetitions, long seed) {
        long start = (seed * SPREAD) ^ rate.row().hashCode();
        return LongStream.range(0, repetitions)
                .mapToDouble(i -> rate.of().applyAsDouble((start + i) * SPREAD))
                .average()
                .orElse(0);
    }

    /** Those so far above what is stated that chance brings less than this share of them there. */
    static List<Rate> above(Map<Rate, Double> means, int repetitions, double chance) {
        List<Rate> above = new ArrayList<>();
        means.forEach((rate, mean) -> {
            BinomialDistribution stated = new BinomialDistribution(null, repetitions, Math.min(1, rate.stated()));
            int found = (int) Math.round(mean * repetitions);
            if (rate.percent() && 1 - stated.cumulativeProbability(found - 1) < chance) {
                above.add(rate);
            }
        });
        return above;
    }

    private static void print(PrintStream out, Map<Rate, Double> means) {
        Map<String, Map<String, Map<String, String>>> tables = new LinkedHashMap<>();
        means.forEach((rate, mean) -> tables.computeIfAbsent(rate.table(), any -> new LinkedHashMap<>())
                .computeIfAbsent(rate.row(), any -> new LinkedHashMap<>())
                .put(rate.column(), String.format(Locale.ROOT, "%.1f", rate.percent() ? 100 * mean : mean)));
        tables.forEach((title, rows) -> {
            Set<String> columns = new LinkedHashSet<>();
            rows.values().forEach(row -> columns.addAll(row.keySet()));
            out.println();
            out.println("**" + title + "**");
            out.println();
            out.println("| | " + String.join(" | ", columns) + " |");
            out.println("| --- |" + " --- |".repeat(columns.size()));
            rows.forEach((name, row) -> out.println("| " + name + " | "
                    + String.join(
                            " | ",
                            columns.stream()
                                    .map(column -> row.getOrDefault(column, "-"))
                                    .toList())
                    + " |"));
        });
    }
}
