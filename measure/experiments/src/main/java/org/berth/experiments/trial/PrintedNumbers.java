package org.berth.experiments.trial;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.experiments.Metric;
import org.berth.experiments.PrintedNumber;

/** Finds metrics in the output of a run. */
final class PrintedNumbers {
    private static final Pattern PREFIX = Pattern.compile(" *(\\d{1,4}) \\| ");

    private PrintedNumbers() {}

    /**
     * The last number of each metric, by its name; a note names each metric that was not printed.
     *
     * @param processes that wrote the log; of several, each line begins with the index of its process, and each process has a last
     *     number. They add up where higher is better, as throughputs do; otherwise the largest counts, since the work is done when
     *     the slowest process is.
     */
    static Map<String, PrintedNumber> read(Path log, int processes, List<Metric> metrics, List<String> notes) {
        Map<String, Map<Integer, PrintedNumber>> found = new HashMap<>();
        if (metrics.isEmpty()) {
            return Map.of();
        }
        // Not Files.lines, which fails on a thread that was interrupted.
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new FileInputStream(log.toFile()), StandardCharsets.ISO_8859_1))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher prefix = PREFIX.matcher(line);
                boolean ofOne = processes > 1 && prefix.lookingAt();
                int process = ofOne ? Integer.parseInt(prefix.group(1)) : 0;
                String text = ofOne ? line.substring(prefix.end()) : line;
                for (Metric metric : metrics) {
                    metric.find(text)
                            .ifPresent(number -> found.computeIfAbsent(metric.name(), name -> new TreeMap<>())
                                    .put(process, number));
                }
            }
        } catch (IOException e) {
            notes.add("cannot read " + log + ": " + e.getMessage());
        }
        Map<String, PrintedNumber> numbers = new HashMap<>();
        for (Metric metric : metrics) {
            Map<Integer, PrintedNumber> all = found.getOrDefault(metric.name(), Map.of());
            if (all.isEmpty()) {
                notes.add("printed no " + metric.name() + " (" + metric.pattern() + ")");
            } else {
                numbers.put(metric.name(), together(metric, all.values()));
            }
        }
        return numbers;
    }

    private static PrintedNumber together(Metric metric, Collection<PrintedNumber> ofProcesses) {
        if (metric.better() == Metric.Better.HIGHER) {
            return new PrintedNumber(
                    ofProcesses.stream().mapToDouble(PrintedNumber::value).sum(),
                    ofProcesses.stream().mapToDouble(PrintedNumber::step).sum());
        }
        return Collections.max(ofProcesses, Comparator.comparingDouble(PrintedNumber::value));
    }
}
