package org.berth.jobs.tpch;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.berth.jobkit.JobException;
import org.berth.jobs.SparkOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@link Tpch}. */
@Command(
        name = "Tpch",
        description = "The 22 TPC-H queries on Spark SQL over generated Parquet tables, to compare placements with.")
public final class TpchOptions extends SparkOptions {
    private static final BigDecimal LEAST_SCALE = new BigDecimal("0.001");
    private static final BigDecimal GREATEST_SCALE = new BigDecimal(100);

    @Option(
            names = "--scale",
            paramLabel = "N",
            defaultValue = "0.1",
            description = "Scale factor, from 0.001 to 100 (default ${DEFAULT-VALUE}); 1 is about 1 GB of text.")
    private BigDecimal scale = BigDecimal.ONE;

    @Option(
            names = "--queries",
            paramLabel = "N",
            split = ",",
            description = "Different queries from 1 to 22, in the order in which they run (default all).")
    private List<Integer> queries = List.of();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "1",
            description = "How often the queries run (default ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--answers", description = "Print each query's rows too.")
    private boolean answers;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "berth-data",
            description = "Folder of the tables, made once for each scale and then reused (default ${DEFAULT-VALUE}).")
    private Path data = Path.of("");

    @Override
    protected void check() {
        if (scale.compareTo(LEAST_SCALE) < 0 || scale.compareTo(GREATEST_SCALE) > 0) {
            throw JobException.usage("Invalid value for option '--scale': '" + scale + "' is not from 0.001 to 100");
        }
        List<Integer> all = queries();
        if (new HashSet<>(all).size() < all.size() || all.stream().anyMatch(query -> query > TpchQueries.COUNT)) {
            throw JobException.usage("Invalid value for option '--queries': these are not different numbers from 1 to "
                    + TpchQueries.COUNT + ": " + all);
        }
    }

    /** Folder that holds, or gets, a folder of tables for each scale. */
    public Path data() {
        return data;
    }

    /** Scale factor of TPC-H: 1 is about 1 GB of text. */
    public BigDecimal scale() {
        return scale.stripTrailingZeros();
    }

    /** Numbers of the queries, in the order in which they run. */
    public List<Integer> queries() {
        return queries.isEmpty()
                ? IntStream.rangeClosed(1, TpchQueries.COUNT).boxed().toList()
                : List.copyOf(queries);
    }

    /** How often all queries run. */
    public int rounds() {
        return rounds;
    }

    /** Whether the rows are printed too. */
    public boolean answers() {
        return answers;
    }
}
