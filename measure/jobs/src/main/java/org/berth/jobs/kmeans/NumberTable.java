package org.berth.jobs.kmeans;

import java.io.Serializable;

/** Rows of numbers, all of one width, in one array: row r's column c is at {@code r * columns + c}. Immutable. */
final class NumberTable implements Serializable {
    private final float[] values;
    private final int columns;

    /** Takes the array over; {@code values.length} is a multiple of {@code columns}. */
    NumberTable(float[] values, int columns) {
        if (columns < 1 || values.length % columns != 0) {
            throw new IllegalArgumentException(values.length + " values do not make rows of " + columns);
        }
        this.values = values;
        this.columns = columns;
    }

    int rows() {
        return values.length / columns;
    }

    int columns() {
        return columns;
    }

    float value(int row, int column) {
        return values[row * columns + column];
    }

    /** The array itself, for the inner loops; it is not to be written to. */
    float[] values() {
        return values;
    }
}
