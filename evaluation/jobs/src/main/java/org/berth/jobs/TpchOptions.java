package org.berth.jobs;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What one run of {@link Tpch} is asked to do.
 *
 * @param data folder that holds, or gets, a folder of tables for each scale
 * @param scale factor of TPC-H: 1 is about 1 GB of text
 * @param queries numbers, in the order in which they run
 * @param rounds how often all queries run
 * @param answers print the rows too
 * @param threads task threads in local mode
 */
record TpchOptions(Path data, BigDecimal scale, List<Integer> queries, int rounds, boolean answers, int threads) {
    static final String HELP = """
            Usage: Tpch [options]
            The 22 TPC-H queries on Spark SQL over generated Parquet tables, to compare placements with.
              --scale N          scale factor, from 0.001 to 100 (default 0.1); 1 is about 1 GB of text
              --queries LIST     numbers with commas (default all)
              --rounds N         how often the queries run (default 1)
              --answers          print each query's rows too
              --data DIR         folder of the tables, made once for each scale and then reused (default berth-data)
            """ + SparkJob.HELP;

    private static final List<String> NAMES = List.of("--scale", "--queries", "--rounds", "--data", "--threads");

    private static final BigDecimal LEAST_SCALE = new BigDecimal("0.001");
    private static final BigDecimal GREATEST_SCALE = new BigDecimal(100);

    /** @throws JobException with exit code 2 for a wrong command line */
    static TpchOptions parse(List<String> words) {
        JobArguments arguments = JobArguments.parse(words, NAMES, List.of("--answers"));
        return new TpchOptions(
                arguments.path("--data").orElse(Path.of("berth-data")),
                scale(arguments.text("--scale").orElse("0.1")),
                arguments
                        .text("--queries")
                        .map(TpchOptions::queries)
                        .orElse(IntStream.rangeClosed(1, TpchQueries.COUNT)
                                .boxed()
                                .toList()),
                arguments.count("--rounds", 1),
                arguments.has("--answers"),
                arguments.threads());
    }

    private static BigDecimal scale(String text) {
        try {
            BigDecimal scale = new BigDecimal(text);
            if (scale.compareTo(LEAST_SCALE) >= 0 && scale.compareTo(GREATEST_SCALE) <= 0) {
                return scale.stripTrailingZeros();
            }
        } catch (NumberFormatException e) {
            // The line below says it for both cases.
        }
        throw JobException.usage("--scale needs a number from 0.001 to 100, not '" + text + "'");
    }

    private static List<Integer> queries(String text) {
        List<Integer> queries = new ArrayList<>();
        for (String word : text.split(",", -1)) {
            try {
                int query = Integer.parseInt(word);
                if (query >= 1 && query <= TpchQueries.COUNT && !queries.contains(query)) {
                    queries.add(query);
                    continue;
                }
            } catch (NumberFormatException e) {
                // The line below says it for all cases.
            }
            throw JobException.usage("--queries needs different numbers from 1 to " + TpchQueries.COUNT
                    + " with commas, not '" + text + "'");
        }
        return queries;
    }
}
