package org.berth.experiments.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.experiments.Trial.Outcome;
import org.berth.experiments.statistics.Spread;
import org.jspecify.annotations.Nullable;

/**
 * The bandwidth of each memory node, as the runs of the job {@code bandwidth} in a folder of results measured it. A run
 * is of the node on which its memory was, by the kernel's word and not by what its arm asked for.
 */
public final class MeasuredBandwidth {
    /** Code, stacks and libraries of the JVM may lie elsewhere; a policy that mixes nodes has less on each. */
    private static final double ON_ONE_NODE = 0.75;

    /** The output of org.berth.jobs.memory.Bandwidth: a heading, and below it the number at the end of the row. */
    private static final Pattern TRIAD =
            Pattern.compile("^triad, GB/s[^\\n]*\\n[^\\n]* ([0-9]{1,9}(?:\\.[0-9]{1,9})?)$", Pattern.MULTILINE);

    private MeasuredBandwidth() {}

    /**
     * Returns GB/s of the triad loop by osIndex of the node: the median of an arm's runs, and of several arms on a node
     * the fastest.
     *
     * @param folder the results of a comparison
     * @return empty when no run printed such a number, or the node of its memory is not known
     * @throws IOException when the folder holds no results that can be read
     */
    public static SortedMap<Integer, Double> byNode(Path folder) throws IOException {
        Map<Integer, Map<String, List<Double>>> runs = new TreeMap<>();
        for (TrialLine trial : TrialReader.read(folder.resolve("trials.jsonl")).trials()) {
            OptionalDouble rate = trial.warmUp() || trial.outcome() != Outcome.COMPLETED
                    ? OptionalDouble.empty()
                    : rate(folder.resolve(Path.of(trial.log()).getFileName()));
            if (rate.isPresent()) {
                node(trial.nodeBytes())
                        .ifPresent(node -> runs.computeIfAbsent(node, any -> new TreeMap<>())
                                .computeIfAbsent(trial.arm(), any -> new ArrayList<>())
                                .add(rate.getAsDouble()));
            }
        }
        SortedMap<Integer, Double> fastest = new TreeMap<>();
        runs.forEach((node, arms) -> arms.values()
                .forEach(rates -> Spread.of(rates.stream().mapToDouble(Double::doubleValue))
                        .ifPresent(spread -> fastest.merge(node, spread.median(), Math::max))));
        return fastest;
    }

    private static OptionalDouble rate(Path log) throws IOException {
        Matcher triad = TRIAD.matcher(Files.readString(log, StandardCharsets.ISO_8859_1));
        return triad.find() ? OptionalDouble.of(Double.parseDouble(triad.group(1))) : OptionalDouble.empty();
    }

    private static Optional<Integer> node(@Nullable Map<Integer, Long> bytes) {
        if (bytes == null) {
            return Optional.empty();
        }
        long all = bytes.values().stream().mapToLong(Long::longValue).sum();
        return bytes.entrySet().stream()
                .filter(node -> node.getValue() > 0 && node.getValue() >= ON_ONE_NODE * all)
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
