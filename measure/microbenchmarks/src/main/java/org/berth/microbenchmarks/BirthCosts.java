package org.berth.microbenchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What the text in front of a YARN container's command adds to its start and end: the last line of Hadoop's script,
 * with and without it, in turn, run by a shell. The ratio is taken within a pair. */
final class BirthCosts {
    /** Name of this report on the command line. */
    static final String WORD = "births";

    private static final int DEFAULT_PAIRS = 200;
    /** File caches, and the pages of the programs. */
    private static final int UNCOUNTED = 5;

    private BirthCosts() {}

    static String markdown(int askedPairs) throws IOException, InterruptedException {
        int pairs = askedPairs > 0 ? askedPairs : DEFAULT_PAIRS;
        Path folder = YarnContainers.temporaryFolder();
        try {
            List<String> command = List.of("sh -c true");
            Path plain = script(folder.resolve("plain.sh"), command);
            Path placed =
                    script(folder.resolve("placed.sh"), new YarnContainers(folder.resolve("leases")).listened(command));
            return table(plain, placed, pairs);
        } finally {
            YarnContainers.delete(folder);
        }
    }

    private static String table(Path plain, Path placed, int pairs) throws IOException, InterruptedException {
        double[] without = new double[pairs];
        double[] with = new double[pairs];
        for (int pair = -UNCOUNTED; pair < pairs; pair++) {
            boolean turned = pair % 2 != 0;
            double first = once(turned ? placed : plain, !turned);
            double second = once(turned ? plain : placed, turned);
            if (pair >= 0) {
                without[pair] = turned ? second : first;
                with[pair] = turned ? first : second;
            }
        }
        return table(without, with);
    }

    private static Path script(Path file, List<String> commands) throws IOException {
        return Files.writeString(file, "exec /bin/bash -c \"" + String.join(" ", commands) + "\"\n");
    }

    /** Milliseconds; a command without its place would be quicker, and is none to be measured. */
    private static double once(Path script, boolean plain) throws IOException, InterruptedException {
        long before = System.nanoTime();
        Process process = new ProcessBuilder("bash", script.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        long nanos = System.nanoTime() - before;
        if (code != 0 || !said.matches(plain ? "" : "berth: core of CPUs .*\n")) {
            throw new IOException(script + " ended with " + code + " and said: " + said);
        }
        return nanos / 1e6;
    }

    private static String table(double[] without, double[] with) {
        double[] more = new double[with.length];
        double[] ratio = new double[with.length];
        for (int i = 0; i < with.length; i++) {
            more[i] = with[i] - without[i];
            ratio[i] = with[i] / without[i];
        }
        return """
                | %d pairs | median (quartiles) |
                |---|---:|
                | without, ms | %s |
                | in a place, ms | %s |
                | more, ms | %s |
                | ratio | %s |
                """.formatted(with.length, spread(without), spread(with), spread(more), spread(ratio));
    }

    private static String spread(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return String.format(Locale.ROOT, "%.2f (%.2f–%.2f)", at(sorted, 0.5), at(sorted, 0.25), at(sorted, 0.75));
    }

    private static double at(double[] sorted, double quantile) {
        return sorted[(int) Math.round(quantile * (sorted.length - 1))];
    }
}
