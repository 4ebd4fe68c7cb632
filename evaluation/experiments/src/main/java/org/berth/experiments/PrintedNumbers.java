package org.berth.experiments;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds metrics in the output of a run. */
final class PrintedNumbers {
    private PrintedNumbers() {}

    /** The last number of each metric, by its name; a note names each metric that was not printed. */
    static Map<String, Double> read(Path log, List<Metric> metrics, List<String> notes) {
        Map<String, Double> found = new HashMap<>();
        if (metrics.isEmpty()) {
            return found;
        }
        // Not Files.lines, which fails on a thread that was interrupted.
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new FileInputStream(log.toFile()), StandardCharsets.ISO_8859_1))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                for (Metric metric : metrics) {
                    metric.find(line).ifPresent(number -> found.put(metric.name(), number));
                }
            }
        } catch (IOException e) {
            notes.add("cannot read " + log + ": " + e.getMessage());
            return found;
        }
        for (Metric metric : metrics) {
            if (!found.containsKey(metric.name())) {
                notes.add("printed no " + metric.name() + " (" + metric.pattern() + ")");
            }
        }
        return found;
    }
}
