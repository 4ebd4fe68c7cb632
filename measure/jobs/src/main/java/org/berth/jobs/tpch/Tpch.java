package org.berth.jobs.tpch;

import io.trino.tpch.TpchTable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.berth.jobkit.JobException;
import org.berth.jobkit.JobMain;
import org.berth.jobs.SparkStart;

/**
 * The 22 queries of TPC-H on Spark SQL, as a job to compare placements with: scans, joins, aggregation and sorts over
 * Parquet. Tables are generated once. The times are not TPC-H results (no refresh functions, no streams, no audit).
 */
public final class Tpch {
    private Tpch() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        SparkStart.run("tpch", new TpchOptions(), arguments, Tpch::generate, Tpch::run);
    }

    /** Tables that are there need no Spark to be found. */
    private static void generate(TpchOptions options) throws Exception {
        if (!Files.isDirectory(TpchData.folder(options.data(), options.scale()))) {
            try (SparkSession spark = session(options)) {
                TpchData.prepare(spark, options.data(), options.scale());
            }
        }
    }

    private static void run(TpchOptions options) throws Exception {
        try (SparkSession spark = session(options)) {
            Path folder = TpchData.prepare(spark, options.data(), options.scale());
            for (TpchTable<?> table : TpchTable.getTables()) {
                spark.read()
                        .parquet(folder.resolve(table.getTableName()).toString())
                        .createOrReplaceTempView(table.getTableName());
            }
            CRC32 all = new CRC32();
            long nanos = 0;
            long rows = 0;
            for (int round = 1; round <= options.rounds(); round++) {
                for (int query : options.queries()) {
                    String sql = TpchQueries.sql(query, options.scale().toPlainString());
                    long start = System.nanoTime();
                    List<Row> answer = answer(spark, sql);
                    long queryNanos = System.nanoTime() - start;
                    nanos += queryNanos;
                    rows += answer.size();
                    long checksum = checksum(answer);
                    all.update(Long.toString(checksum).getBytes(StandardCharsets.UTF_8));
                    print(query, queryNanos, answer.size(), checksum);
                    if (options.answers()) {
                        answer.forEach(row -> System.out.print("   " + line(row)));
                    }
                }
            }
            JobMain.printResult(JobMain.seconds(nanos), String.format(Locale.ROOT, "%d %08x", rows, all.getValue()));
        }
    }

    private static List<Row> answer(SparkSession spark, String sql) {
        try {
            return spark.sql(sql).collectAsList();
        } catch (IllegalArgumentException e) {
            // Only a table that is broadcast and does not fit the memory any more is serialised that way.
            if (String.valueOf(e.getMessage()).contains("HeapByteBuffer")) {
                throw JobException.failure("Spark must write shared tables to disk and may not: use a larger -Xmx, or"
                        + " start java with --add-opens=java.base/java.nio=ALL-UNNAMED");
            }
            throw e;
        }
    }

    static SparkSession session(TpchOptions options) {
        return SparkSession.builder()
                .config(SparkStart.configuration("tpch", options.threads())
                        // 200 is for clusters; the number of partitions does not change the results.
                        .setIfMissing("spark.sql.shuffle.partitions", Integer.toString(2 * options.threads()))
                        .setIfMissing("spark.sql.session.timeZone", "UTC")
                        .set("spark.sql.datetime.java8API.enabled", "true"))
                .getOrCreate();
    }

    private static void print(int query, long nanos, int rows, long checksum) {
        System.out.printf(
                Locale.ROOT, "q%-2d %8.3f s  %6d rows  %08x%n", query, JobMain.seconds(nanos), rows, checksum);
    }

    /** The checksum of the rows as sorted lines, since a query may leave the order of some rows open. */
    private static long checksum(List<Row> answer) {
        CRC32 crc = new CRC32();
        answer.stream().map(Tpch::line).sorted().forEach(line -> crc.update(line.getBytes(StandardCharsets.UTF_8)));
        return crc.getValue();
    }

    /** Values apart by bars, numbers with a fraction rounded to two digits, as in the benchmark's own answers. */
    static String line(Row row) {
        List<String> values = new ArrayList<>();
        for (int column = 0; column < row.length(); column++) {
            Object value = row.get(column);
            values.add(
                    value instanceof BigDecimal number
                            ? number.setScale(2, RoundingMode.HALF_UP).toPlainString()
                            : String.valueOf(value));
        }
        return String.join("|", values) + "\n";
    }
}
