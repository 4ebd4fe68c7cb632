package org.berth.jobs;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one run of {@link KMeans} is asked to do.
 *
 * @param input table of numbers, one row a line
 * @param slices partitions of the tiled table, tasks per iteration
 * @param iterations exact number of iterations: every run does the same work, whether it has converged or not
 * @param clusters centres to find
 * @param tile how often the rows of the input are repeated
 * @param threads task threads in local mode
 */
record KMeansOptions(Path input, int slices, int iterations, int clusters, int tile, int threads) {
    static final String HELP = """
            Usage: KMeans --input FILE [options]
            K-Means on Spark over a table of numbers, to compare placements with.
              --input FILE       CSV or gzipped CSV of numbers; a header line is skipped
              --clusters N       clusters to find (default 10)
              --iterations N     iterations, all of them are done (default 40)
              --tile N           repeat the rows N times with a small deterministic jitter (default 100)
              --slices N         partitions of the table (default 4 a thread)
              --threads N        task threads in local mode (default: the processors that the JVM may use);
                                 -Dspark.master=URL takes its place
              --verbose          the stack trace of a failure
              --help             this text
            Spark's own settings are taken from system properties: java -Dspark.plugins=CLASS...
            """;

    private static final List<String> NAMES =
            List.of("--input", "--clusters", "--iterations", "--tile", "--slices", "--threads");

    /**
     * Accepts {@code --name value} and {@code --name=value}.
     *
     * @throws JobException with exit code 2 for anything else
     */
    static KMeansOptions parse(List<String> arguments) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            if (!NAMES.contains(name)) {
                throw JobException.usage("unknown option '" + name + "'");
            }
            if (equals < 0 && ++i == arguments.size()) {
                throw JobException.usage(name + " needs a value");
            }
            String value = equals < 0 ? arguments.get(i) : argument.substring(equals + 1);
            if (values.put(name, value) != null) {
                throw JobException.usage(name + " is given twice");
            }
        }
        int threads = count(values, "--threads", Runtime.getRuntime().availableProcessors());
        return new KMeansOptions(
                input(values.get("--input")),
                count(values, "--slices", 4 * threads),
                count(values, "--iterations", 40),
                count(values, "--clusters", 10),
                count(values, "--tile", 100),
                threads);
    }

    private static Path input(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            throw JobException.usage("--input FILE is missing");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw JobException.usage("--input '" + text + "' is not a path: " + e.getReason());
        }
    }

    private static int count(Map<String, String> values, String name, int absent) {
        String text = values.get(name);
        if (text == null) {
            return absent;
        }
        try {
            int count = Integer.parseInt(text);
            if (count >= 1) {
                return count;
            }
        } catch (NumberFormatException e) {
            // The line below says it for both cases.
        }
        throw JobException.usage(name + " needs a whole number of at least 1, not '" + text + "'");
    }
}
