package org.berth.mapreduce.programs.kmeans;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.hadoop.io.Writable;

/** Rows of a cluster: their number, the sum of each column, and the sum of the squared distances to the centroid. */
final class ClusterSums implements Writable {
    private long count;
    private final ExactSum cost = new ExactSum();
    private ExactSum[] columns = {};

    void clear() {
        count = 0;
        cost.clear();
        for (ExactSum column : columns) {
            column.clear();
        }
    }

    void set(Row row, double squaredDistance) {
        clear();
        size(row.columns());
        count = 1;
        cost.add(squaredDistance);
        for (int i = 0; i < columns.length; i++) {
            columns[i].add(row.value(i));
        }
    }

    void add(ClusterSums other) {
        size(other.columns.length);
        count += other.count;
        cost.add(other.cost);
        for (int i = 0; i < columns.length; i++) {
            columns[i].add(other.columns[i]);
        }
    }

    double cost() {
        return cost.value();
    }

    double[] mean() {
        return Arrays.stream(columns)
                .mapToDouble(column -> column.value() / count)
                .toArray();
    }

    private void size(int number) {
        if (columns.length != number) {
            columns = Stream.generate(ExactSum::new).limit(number).toArray(ExactSum[]::new);
        }
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeLong(count);
        cost.write(out);
        out.writeInt(columns.length);
        for (ExactSum column : columns) {
            column.write(out);
        }
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        count = in.readLong();
        cost.readFields(in);
        size(in.readInt());
        for (ExactSum column : columns) {
            column.readFields(in);
        }
    }
}
