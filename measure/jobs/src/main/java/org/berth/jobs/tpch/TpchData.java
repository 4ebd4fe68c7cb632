package org.berth.jobs.tpch;

import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.berth.jobkit.JobException;

/**
 * The tables of TPC-H as Parquet, by the generator of Trino, a port of the benchmark's own dbgen. Amounts are
 * decimal(15,2) as the benchmark defines them: their sums do not depend on the order of adding.
 */
final class TpchData {
    /** The files of each table that grows with the scale: the same for any number of threads, so that the files are too. */
    private static final int PARTS = 8;

    /** Changes whenever the generated files do, so that old ones are not taken for new ones. */
    private static final int VERSION = 1;

    private TpchData() {}

    /** The folder of the tables of a scale, which need not exist. */
    static Path folder(Path data, BigDecimal scale) {
        return data.resolve("tpch-" + scale.toPlainString() + "-v" + VERSION).toAbsolutePath();
    }

    /**
     * The folder of the tables, which are generated when it is not there. It appears under its name only when it is
     * complete, and of two jobs that generate at once one wins.
     */
    static Path prepare(SparkSession spark, Path data, BigDecimal scale) throws IOException {
        Path folder = folder(data, scale);
        if (Files.isDirectory(folder)) {
            return folder;
        }
        System.err.println("berth: tpch: generating the tables of scale " + scale.toPlainString() + " into " + folder);
        Path partial;
        try {
            Files.createDirectories(data);
            partial = Files.createTempDirectory(data.toAbsolutePath(), folder.getFileName() + ".partial-");
        } catch (FileSystemException e) {
            String reason = Files.isRegularFile(data)
                    ? "it is a file"
                    : e instanceof AccessDeniedException ? "permission denied" : String.valueOf(e.getReason());
            throw JobException.failure(
                    "cannot make the folder of the tables in " + data + ": " + reason + "; give another --data DIR");
        }
        try {
            int number = 0;
            for (TpchTable<?> table : TpchTable.getTables()) {
                System.err.println("berth: tpch: table " + ++number + " of "
                        + TpchTable.getTables().size() + ", " + table.getTableName());
                write(spark, table, scale.doubleValue(), partial.resolve(table.getTableName()));
            }
            publish(partial, folder);
        } finally {
            delete(partial);
        }
        return folder;
    }

    private static void publish(Path partial, Path folder) throws IOException {
        try {
            Files.move(partial, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw e;
        } catch (FileSystemException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
            // Another job was faster, with the same tables.
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static <E extends TpchEntity> void write(
            SparkSession spark, TpchTable<E> table, double scale, Path folder) {
        int parts = table.equals(TpchTable.NATION) || table.equals(TpchTable.REGION) ? 1 : PARTS;
        // Tables and columns are no serialisable objects: the tasks look them up by name.
        String name = table.getTableName();
        JavaRDD<Row> rows = JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(IntStream.rangeClosed(1, parts).boxed().toList(), parts)
                .flatMap(part -> rows(TpchTable.getTable(name), scale, part, parts));
        spark.createDataFrame(rows, schema(table)).write().parquet(folder.toString());
    }

    private static <E extends TpchEntity> Iterator<Row> rows(TpchTable<E> table, double scale, int part, int parts) {
        List<TpchColumn<E>> columns = table.getColumns();
        return StreamSupport.stream(table.createGenerator(scale, part, parts).spliterator(), false)
                .map(entity -> RowFactory.create(
                        columns.stream().map(column -> value(column, entity)).toArray()))
                .iterator();
    }

    private static <E extends TpchEntity> Object value(TpchColumn<E> column, E entity) {
        return switch (column.getType().getBase()) {
            case INTEGER -> column.getInteger(entity);
            case IDENTIFIER -> column.getIdentifier(entity);
            case DATE -> LocalDate.ofEpochDay(column.getDate(entity));
            case DOUBLE -> BigDecimal.valueOf(Math.round(column.getDouble(entity) * 100), 2);
            case VARCHAR -> column.getString(entity);
        };
    }

    private static <E extends TpchEntity> StructType schema(TpchTable<E> table) {
        return DataTypes.createStructType(table.getColumns().stream()
                .map(column -> DataTypes.createStructField(column.getColumnName(), type(column), false))
                .toArray(StructField[]::new));
    }

    private static DataType type(TpchColumn<?> column) {
        return switch (column.getType().getBase()) {
            case INTEGER -> DataTypes.IntegerType;
            case IDENTIFIER -> DataTypes.LongType;
            case DATE -> DataTypes.DateType;
            case DOUBLE -> DataTypes.createDecimalType(15, 2);
            case VARCHAR -> DataTypes.StringType;
        };
    }
}
