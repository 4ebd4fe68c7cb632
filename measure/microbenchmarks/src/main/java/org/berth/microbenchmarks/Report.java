package org.berth.microbenchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The table of {@link BenchmarkMain}: a median of the rounds, and the lowest and highest round in brackets. */
final class Report {
    private Report() {}

    static String markdown(Samples samples) {
        List<Peer> peers = Arrays.stream(Peer.values())
                .filter(peer -> peer != Peer.Berth)
                .filter(peer -> samples.operations().stream()
                        .anyMatch(operation -> !samples.ratios(operation, peer).isEmpty()))
                .toList();
        StringBuilder table = new StringBuilder("| operation | Berth, ns |");
        peers.forEach(peer -> table.append(" Berth / ").append(peer.label).append(" |"));
        table.append("\n|---|---:|").append("---:|".repeat(peers.size())).append('\n');
        for (String operation : samples.operations()) {
            List<Double> ours = samples.nanos(operation, Peer.Berth);
            if (!ours.isEmpty()) {
                table.append("| ").append(words(operation)).append(" | ").append(spread(ours));
                peers.forEach(peer -> table.append(" | ").append(spread(samples.ratios(operation, peer))));
                table.append(" |\n");
            }
        }
        return table.toString();
    }

    /** "2.10 (2.05–2.30)", empty when there is nothing. */
    private static String spread(List<Double> values) {
        if (values.isEmpty()) {
            return "";
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return number(median) + " (" + number(sorted.get(0)) + "–" + number(sorted.get(sorted.size() - 1)) + ")";
    }

    /** Three significant digits. */
    private static String number(double value) {
        if (value >= 100) {
            return String.format(Locale.ROOT, "%,d", Math.round(value));
        }
        if (value < 0.001) {
            return "<0.001";
        }
        return String.format(Locale.ROOT, value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f", value);
    }

    /** puByOsIndex: pu by os index. */
    private static String words(String operation) {
        return Arrays.stream(operation.split("(?=[A-Z])", -1))
                .map(word -> word.toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(" "));
    }
}
