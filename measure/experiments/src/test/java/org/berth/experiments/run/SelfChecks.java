package org.berth.experiments.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.Verdict;
import org.berth.machines.Machines;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;

/**
 * Compares a short command with itself, many times, on this machine as it is, and prints how often a difference is found: COMPARISONS.
 * The same classes and numbers of rounds as {@code berth compare --self-check}, without starting a JVM for each.
 */
final class SelfChecks {
    /** A shell's loop of about 0.06 s: nothing but the CPU. */
    private static final String[] COMMAND = {"sh", "-c", "i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done"};

    private static final Topology TOPOLOGY = TopologyXml.parse(Machines.xml("2amd64-2n"));
    private static final int ROUNDS = 12;
    private static final RoundFit FIT = new RoundFit(Duration.ofSeconds(105), 5);
    private static final double NORMAL = 1.96;
    private static final int REPORTED = 10;

    private SelfChecks() {}

    public static void main(String[] arguments) throws IOException {
        int comparisons = Integer.parseInt(arguments[0]);
        Map<Verdict.Kind, Integer> kinds = new TreeMap<>();
        int different = 0;
        for (int i = 1; i <= comparisons; i++) {
            Verdict verdict = verdict();
            kinds.merge(verdict.kind(), 1, Integer::sum);
            different += verdict.isDifference() ? 1 : 0;
            if (i % REPORTED == 0) {
                System.err.println("berth: " + i + " comparisons: " + kinds);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d of %d comparisons of equal arms found a difference: %.1f %% (95 %% CI %s)%n",
                different,
                comparisons,
                100.0 * different / comparisons,
                interval(different, comparisons));
    }

    private static Verdict verdict() throws IOException {
        Path folder = Files.createTempDirectory("berth-self-check");
        try {
            Experiment experiment = Experiment.of("equal", List.of(Arm.of("a", COMMAND), Arm.of("b", COMMAND)))
                    .withRounds(ROUNDS)
                    .withThreads(Experiment.ThreadScope.ALL);
            return new ExperimentRunner(experiment, TOPOLOGY, folder, Progress.NONE, Optional.empty(), Optional.of(FIT))
                    .run()
                    .summary()
                    .verdicts()
                    .get(0);
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** That of Wilson (1927). */
    private static String interval(int found, int all) {
        double share = (double) found / all;
        double square = NORMAL * NORMAL / all;
        double centre = (share + square / 2) / (1 + square);
        double half = NORMAL / (1 + square) * Math.sqrt(share * (1 - share) / all + square / (4 * all));
        return String.format(Locale.ROOT, "%.1f to %.1f %%", 100 * (centre - half), 100 * (centre + half));
    }
}
